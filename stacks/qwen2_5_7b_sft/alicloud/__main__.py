"""qwen2_5_7b_sft on Alibaba Cloud.

1 x ecs.ebmgn7e.32xlarge (8 x A100-SXM-80), cloud_essd 210 GiB, OSS in cn-wulanchabu.

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
        "spec_sha256": "fdef140f6460ed933fa1f37fa39fdf170a81666cec4fe2de24d78c1b8dbdc9f1",
        "precision": "bf16",
        "profile": "deepspeed",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 69.3,
        "gpu_memory_usable_gib": 79.3,
        "run_hours": 43.0,
        "checkpoint_gib": 99.3,
        "exposed_ratio": 0.0,
    },
)
