"""Buckets for checkpoints, which must outlive the nodes; none is public."""

import pulumi
import pulumi_alicloud as alicloud

from settings import CHECKPOINT_BUCKET, JOB

# 3 checkpoints of 0.5 GiB, which must outlive the nodes. A destroy must not take it along, so it is protected.
checkpoints = alicloud.oss.Bucket(
    "checkpoints",
    bucket=CHECKPOINT_BUCKET,
    storage_class="Standard",
    redundancy_type="ZRS",
    force_destroy=False,
    server_side_encryption_rule={"sse_algorithm": "AES256"},
    versioning={"status": "Enabled"},
    lifecycle_rules=[
        {
            "id": "cool-down",  # Nobody reads it often by then: it moves to cheaper classes (ST006).
            "enabled": True,
            "prefix": "checkpoints/",
            "transitions": [
                {"days": 30, "storage_class": "IA"},
                {"days": 90, "storage_class": "Archive"},
            ],
            "abort_multipart_uploads": [{"days": 3}],
            "noncurrent_version_expirations": [{"days": 7}],
        },
    ],
    tags=JOB | {"trainform-role": "ckpt"},
    opts=pulumi.ResourceOptions(protect=True),
)
# Whatever a policy or a list of an object says, the public stays out (SE004).
alicloud.oss.BucketPublicAccessBlock(
    "checkpoints",
    bucket=checkpoints.bucket,
    block_public_access=True,
)
