"""text_prep on Tencent Cloud.

3 x SA3.29XLARGE216 (116 vCPU, 216 GiB), CLOUD_SSD 750 GiB, COS in ap-beijing.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import watch  # noqa: F401  (its resources register themselves)
from buckets import archive, raw
from disks import disks
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("raw", raw.bucket.apply("cos://{}".format))
pulumi.export("archive", archive.bucket.apply("cos://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "732061834d6bc5a507cb20edc5df786f23bce3aa49a1d8756078e4650421aa8c",
        "run_hours": 1.8,
        "read_mbps": 174,
    },
)
