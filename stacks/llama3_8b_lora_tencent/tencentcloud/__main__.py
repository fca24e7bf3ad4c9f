"""llama3_8b_lora_tencent on Tencent Cloud.

1 x spot GN10Xp.2XLARGE40 (1 x V100-SXM-32), CLOUD_SSD 40 GiB, COS in ap-beijing.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import schedule  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from pool import pool

pulumi.export("pool", pool.id)
pulumi.export("checkpoints", checkpoints.bucket.apply("cos://{}".format))
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "fb37542e0f18a5298edc42195eadaed76e76f4d7e6aa9246f569d444363d4094",
        "precision": "fp16",
        "profile": "hf_trainer",
        "framework": "pytorch-2.11-cu126",
        "gpu_memory_bound_gib": 29.1,
        "gpu_memory_usable_gib": 31.7,
        "run_hours": 11.7,
        "checkpoint_gib": 0.5,
        "exposed_ratio": 0.0,
    },
)
