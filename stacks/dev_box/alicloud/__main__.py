"""dev_box on Alibaba Cloud.

1 x ecs.gn7i-c8g1.2xlarge (1 x A10), cloud_essd 120 GiB, OSS in cn-heyuan.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import schedule  # noqa: F401  (its resources register themselves)
import watch  # noqa: F401  (its resources register themselves)
from access import public_address
from buckets import raw
from disks import disks
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("raw", raw.bucket.apply("oss://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
pulumi.export("public_address", public_address.ip_address)
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "2983fbfab77854b86e2a79d1f4db4cbaa42c506aa4f949cf38b5c298141b4e23",
        "run_hours": 214.3,
    },
)
