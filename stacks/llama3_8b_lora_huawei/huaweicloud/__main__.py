"""llama3_8b_lora_huawei on Huawei Cloud.

1 x spot p2s.2xlarge.8 (1 x V100-PCIE-32), GPSSD 40 GiB, OBS in cn-north-4.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import schedule  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import checkpoints
from pool import pool

pulumi.export("pool", pool.id)
pulumi.export("checkpoints", checkpoints.bucket.apply("obs://{}".format))
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "037ba76481011d0bdc14c654f279edac7b18f438533a8b3f6f5b2fc8a4e81542",
        "precision": "fp16",
        "profile": "hf_trainer",
        "framework": "pytorch-2.11-cu126",
        "gpu_memory_bound_gib": 29.1,
        "gpu_memory_usable_gib": 31.7,
        "run_hours": 12.9,
        "checkpoint_gib": 0.5,
        "exposed_ratio": 0.0,
    },
)
