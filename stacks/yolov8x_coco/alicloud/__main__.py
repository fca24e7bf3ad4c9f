"""yolov8x_coco on Alibaba Cloud.

1 x ecs.gn7i-4x.8xlarge (4 x A10), cloud_essd 40 GiB, OSS in cn-beijing.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from disks import disks
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("checkpoints", checkpoints.bucket.apply("oss://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "eea58344b36c9a2d626493c3b0e98fc5ab452beb44c03902c14a1ddc5930492b",
        "precision": "bf16",
        "profile": "ultralytics",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 17.9,
        "gpu_memory_usable_gib": 22.2,
        "run_hours": 64.1,
        "read_mbps": 37,
        "checkpoint_gib": 0.6,
        "exposed_ratio": 0.0,
    },
)
