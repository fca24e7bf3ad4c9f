"""resnet50_imagenet on Alibaba Cloud.

1 x ecs.gn7i-c8g1.2xlarge (1 x A10), cloud_essd 190 GiB, OSS in cn-heyuan.

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
        "spec_sha256": "82609a936f8881311c8f6ecde7a27aaa71b58c5379246eec1b7d88ebe31f5b62",
        "precision": "fp16",
        "profile": "timm",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 15.6,
        "gpu_memory_usable_gib": 22.2,
        "run_hours": 37.6,
        "read_mbps": 113,
        "checkpoint_gib": 0.2,
        "exposed_ratio": 0.0,
    },
)
