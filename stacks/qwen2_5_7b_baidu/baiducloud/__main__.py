"""qwen2_5_7b_baidu on Baidu AI Cloud.

1 x bcc.hgn5IB.c116m978.8A100-80g (8 x A100-SXM-80), cloud_hp1 210 GiB, BOS in bj.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import snapshots  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from disks import disks
from nodes import nodes

pulumi.export("nodes", [node.internal_ip for node in nodes])
pulumi.export("checkpoints", checkpoints.bucket.apply("bos://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "b1355952e6d0a950afa1e07fa2c5de5a04e8689661fde7799a801322a434a6d2",
        "precision": "bf16",
        "profile": "deepspeed",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 69.3,
        "gpu_memory_usable_gib": 79.3,
        "run_hours": 44.6,
        "checkpoint_gib": 99.3,
        "exposed_ratio": 0.04,
    },
)
