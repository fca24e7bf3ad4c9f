"""text_prep on Alibaba Cloud.

5 x ecs.c7.16xlarge (64 vCPU, 128 GiB), cloud_essd 450 GiB, OSS in cn-heyuan.

Generated from spec.yaml by `trainform generate`; why these choices: SELECTION.md. Edit the spec, not this file.
"""

import pulumi

import watch  # noqa: F401  (its resources register themselves)
from buckets import archive
from disks import disks
from nodes import nodes

pulumi.export("nodes", [node.private_ip for node in nodes])
pulumi.export("archive", archive.bucket.apply("oss://{}".format))
pulumi.export("disks", [disk.id for disk in disks])
# What was sized and promised; guardrails hold the stack to it.
pulumi.export(
    "trainform",
    {
        "spec_sha256": "732061834d6bc5a507cb20edc5df786f23bce3aa49a1d8756078e4650421aa8c",
        "run_hours": 2.0,
        "read_mbps": 160,
    },
)
