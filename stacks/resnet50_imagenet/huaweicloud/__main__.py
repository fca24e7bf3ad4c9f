"""resnet50_imagenet on Huawei Cloud.

1 x p2v.16xlarge.8 (8 x V100-SXM-16), HPC 1,228 GiB, OBS in cn-north-4.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import snapshots  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints, raw
from file_system import shared
from nodes import nodes

pulumi.export("nodes", [node.access_ip_v4 for node in nodes])
pulumi.export("raw", raw.bucket.apply("obs://{}".format))
pulumi.export("checkpoints", checkpoints.bucket.apply("obs://{}".format))
pulumi.export("file_system", shared.id)
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "82609a936f8881311c8f6ecde7a27aaa71b58c5379246eec1b7d88ebe31f5b62",
        "precision": "fp16",
        "profile": "timm",
        "framework": "pytorch-2.11-cu126",
        "gpu_memory_bound_gib": 10.0,
        "gpu_memory_usable_gib": 15.8,
        "run_hours": 4.7,
        "read_mbps": 946,
        "checkpoint_gib": 0.2,
        "exposed_ratio": 0.0,
    },
)
