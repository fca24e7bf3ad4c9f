"""Buckets for checkpoints, which must outlive the nodes; none is public."""

import pulumi

import baiducloud
from settings import CHECKPOINT_BUCKET, JOB

# 2 checkpoints of 99.3 GiB, which must outlive the nodes. A destroy must not take it along, so it is protected.
checkpoints = baiducloud.BosBucket(
    "checkpoints",
    bucket=CHECKPOINT_BUCKET,
    acl="private",  # There is no block of public access to switch on: private is all there is (SE004).
    storage_class="STANDARD",
    server_side_encryption_rule="AES256",
    lifecycle_rules=[
        {
            "id": "cool-down",  # Nobody reads it often by then: it moves to cheaper classes (ST006).
            "status": "enabled",
            "resources": [CHECKPOINT_BUCKET + "/checkpoints/*"],
            "condition": {"time": {"date_greater_than": "$(lastModified)+P30D"}},
            "action": {"name": "Transition", "storage_class": "STANDARD_IA"},
        },
        {
            "id": "archive",
            "status": "enabled",
            "resources": [CHECKPOINT_BUCKET + "/checkpoints/*"],
            "condition": {"time": {"date_greater_than": "$(lastModified)+P90D"}},
            "action": {"name": "Transition", "storage_class": "ARCHIVE"},
        },
        {
            "id": "abort-uploads",
            "status": "enabled",
            "resources": [CHECKPOINT_BUCKET + "/*"],
            "condition": {"time": {"date_greater_than": "$(lastModified)+P3D"}},
            "action": {"name": "AbortMultipartUpload"},
        },
    ],
    force_destroy=False,
    tags=JOB | {"trainform-role": "ckpt"},
    # The provider replaces a bucket whose tags change.
    opts=pulumi.ResourceOptions(protect=True, ignore_changes=["tags"]),
)
