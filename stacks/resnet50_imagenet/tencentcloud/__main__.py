"""resnet50_imagenet on Tencent Cloud.

1 x GN10Xp.2XLARGE40 (1 x V100-SXM-32), CLOUD_HSSD 190 GiB, COS in ap-chengdu.

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
        "spec_sha256": "82609a936f8881311c8f6ecde7a27aaa71b58c5379246eec1b7d88ebe31f5b62",
        "precision": "fp16",
        "profile": "timm",
        "framework": "pytorch-2.11-cu126",
        "gpu_memory_bound_gib": 29.6,
        "gpu_memory_usable_gib": 31.7,
        "run_hours": 31.7,
        "read_mbps": 134,
        "checkpoint_gib": 0.2,
        "exposed_ratio": 0.0,
    },
)
