"""qwen2_5_7b_sft on Alibaba Cloud.

1 x ecs.gn7-c13g1.26xlarge (8 x A100-SXM-40), cloud_essd 210 GiB, OSS in cn-wulanchabu.

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
        "spec_sha256": "f2e119f50b8543a54bf3dd2faa00d62e51ea45dbd073b71c94450fd24f2c4349",
        "precision": "bf16",
        "profile": "deepspeed",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 35.1,
        "gpu_memory_usable_gib": 39.6,
        "run_hours": 46.0,
        "checkpoint_gib": 99.3,
        "exposed_ratio": 0.03,
    },
)
