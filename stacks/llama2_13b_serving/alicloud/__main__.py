"""llama2_13b_serving on Alibaba Cloud.

2 x ecs.gn7e-c16g1.4xlarge (1 x A100-SXM-80), cloud_essd 40 GiB in cn-wulanchabu.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import watch  # noqa: F401  (its resources register themselves)
from disks import disks
from network import security_group
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("disks", [disk.id for disk in disks])
pulumi.export("security_group", security_group.id)
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "5acc5ee8a1f0a85b913b75fa1f8e29b6840c47798bed8d1bc4dbd86f5776751e",
        "precision": "bf16",
        "profile": "vllm",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 73.4,
        "gpu_memory_usable_gib": 79.3,
        "run_hours": 720.0,
        "exposed_ratio": 0.0,
    },
)
