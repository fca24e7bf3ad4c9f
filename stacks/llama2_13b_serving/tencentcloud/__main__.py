"""llama2_13b_serving on Tencent Cloud.

3 x GN10Xp.5XLARGE80 (2 x V100-SXM-32), CLOUD_SSD 40 GiB, COS in ap-chengdu.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import watch  # noqa: F401  (its resources register themselves)
from buckets import raw
from disks import disks
from network import security_group
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("raw", raw.bucket.apply("cos://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
pulumi.export("security_group", security_group.id)
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "5acc5ee8a1f0a85b913b75fa1f8e29b6840c47798bed8d1bc4dbd86f5776751e",
        "precision": "fp16",
        "profile": "vllm",
        "framework": "pytorch-2.11-cu126",
        "gpu_memory_bound_gib": 30.5,
        "gpu_memory_usable_gib": 31.7,
        "run_hours": 720.0,
        "exposed_ratio": 0.02,
        "tensor_parallel": 2,
    },
)
