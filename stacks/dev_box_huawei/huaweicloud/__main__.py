"""dev_box_huawei on Huawei Cloud.

1 x p2s.2xlarge.8 (1 x V100-PCIE-32), GPSSD 120 GiB, OBS in cn-north-4.

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
pulumi.export("raw", raw.bucket.apply("obs://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "892f5fcccb7741153d96fc3340993aa5dadcbc8449318841181cdf24b650e01c",
        "run_hours": 214.3,
    },
)
