"""pretrain_7b_tencent on Tencent Cloud.

2 x HCCG5v.24XLARGE384 (8 x V100-SXM-32), cfs 40,960 GiB, COS in ap-beijing.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import snapshots  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from file_system import shared
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("checkpoints", checkpoints.bucket.apply("cos://{}".format))
pulumi.export("file_system", shared.id)
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "9889e27322cfb32d1fe061812beba786b1993b66dfa670edb8dd2825ef295ba1",
        "precision": "fp16",
        "profile": "fsdp2",
        "framework": "pytorch-2.11-cu126",
        "gpu_memory_bound_gib": 25.5,
        "gpu_memory_usable_gib": 31.7,
        "run_hours": 115.8,
        "checkpoint_gib": 87.9,
        "exposed_ratio": 0.05,
        "tensor_parallel": 2,
    },
)
