"""pretrain_7b_xinchuang on Huawei Cloud.

2 x physical.kat2ne.48xlarge.8.ei.pod101 (8 x Ascend910B1), HPC 1,228 GiB, OBS in cn-southwest-2.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import snapshots  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from file_system import shared
from nodes import nodes

pulumi.export("nodes", [node.nics[0].ip_address for node in nodes])
pulumi.export("checkpoints", checkpoints.bucket.apply("obs://{}".format))
pulumi.export("file_system", shared.id)
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "f7ca92692074f5f62b0740a0fb7e96a9ab5bf846ce2e926e8b01463a46c65ca6",
        "precision": "bf16",
        "profile": "mindspeed",
        "framework": "torch_npu-2.6-cann8",
        "gpu_memory_bound_gib": 46.7,
        "gpu_memory_usable_gib": 58.7,
        "run_hours": 591.5,
        "checkpoint_gib": 87.9,
        "exposed_ratio": 0.01,
    },
)
