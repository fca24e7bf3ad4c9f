"""llama3_8b_lora_baidu on Baidu AI Cloud.

1 x spot bcc.hgn5IB.c116m978.8A100-80g (8 x A100-SXM-80), cloud_hp1 50 GiB, BOS in bj.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

from buckets import checkpoints
from pool import pool

pulumi.export("pool", pool.id)
pulumi.export("checkpoints", checkpoints.bucket.apply("bos://{}".format))
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "8649fb4b9581df9a21f4ca720a78f62acb1478ce9051185428e6e12a72096bde",
        "precision": "bf16",
        "profile": "hf_trainer",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 64.4,
        "gpu_memory_usable_gib": 79.3,
        "run_hours": 37.5,
        "checkpoint_gib": 0.5,
        "exposed_ratio": 0.0,
    },
)
