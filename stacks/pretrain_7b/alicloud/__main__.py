"""pretrain_7b on Alibaba Cloud.

4 x ecs.ebmgn7ex.32xlarge (8 x A100-SXM-80), cpfs 3,600 GiB, OSS in cn-beijing.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import rdma  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from file_system import shared
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("checkpoints", checkpoints.bucket.apply("oss://{}".format))
pulumi.export("file_system", shared.id)
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "b8ca272e791ddc91ab63cb22b6146f70930f3735edabdaa50673afb48a4f9bae",
        "precision": "bf16",
        "profile": "fsdp2",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 50.2,
        "gpu_memory_usable_gib": 79.3,
        "run_hours": 208.1,
        "checkpoint_gib": 87.9,
        "exposed_ratio": 0.01,
    },
)
