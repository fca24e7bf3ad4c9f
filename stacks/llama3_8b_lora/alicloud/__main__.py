"""llama3_8b_lora on Alibaba Cloud.

1 x spot ecs.gn7i-c8g1.2xlarge (1 x A10), cloud_essd 40 GiB, OSS in cn-beijing.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from pool import pool

pulumi.export("pool", pool.id)
pulumi.export("checkpoints", checkpoints.bucket.apply("oss://{}".format))
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "891aaaa58fc2c016ad892a3aaebbb596895a70e0d0f8c621d342852c3157b845",
        "precision": "bf16",
        "profile": "hf_trainer",
        "framework": "pytorch-2.11-cu128",
        "gpu_memory_bound_gib": 19.6,
        "gpu_memory_usable_gib": 22.2,
        "run_hours": 16.4,
        "checkpoint_gib": 0.5,
        "exposed_ratio": 0.0,
    },
)
