"""yolov8x_coco on Tencent Cloud.

1 x GN10Xp.10XLARGE160 (4 x V100-SXM-32), CLOUD_SSD 40 GiB, COS in ap-chengdu.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import snapshots  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints, raw
from disks import disks
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("raw", raw.bucket.apply("cos://{}".format))
pulumi.export("checkpoints", checkpoints.bucket.apply("cos://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "eea58344b36c9a2d626493c3b0e98fc5ab452beb44c03902c14a1ddc5930492b",
        "precision": "fp16",
        "profile": "ultralytics",
        "framework": "pytorch-2.11-cu126",
        "gpu_memory_bound_gib": 17.9,
        "gpu_memory_usable_gib": 31.7,
        "run_hours": 58.6,
        "read_mbps": 40,
        "checkpoint_gib": 0.6,
        "exposed_ratio": 0.0,
    },
)
