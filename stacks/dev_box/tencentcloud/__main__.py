"""dev_box on Tencent Cloud.

1 x GN7.2XLARGE32 (1 x T4), CLOUD_BSSD 120 GiB, COS in ap-chengdu.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import schedule  # noqa: F401  (its resources register themselves)
import snapshots  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from buckets import raw
from disks import disks
from pool import pool

pulumi.export("pool", pool.id)
pulumi.export("raw", raw.bucket.apply("cos://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "2983fbfab77854b86e2a79d1f4db4cbaa42c506aa4f949cf38b5c298141b4e23",
        "run_hours": 214.3,
    },
)
