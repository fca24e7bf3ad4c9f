"""Buckets for the data set, staged in from here; none is public."""

import pulumi
import pulumi_alicloud as alicloud

from settings import JOB, RAW_BUCKET

# The data set is put here once; the nodes stage it in from here. A destroy must not take it along, so it is protected.
raw = alicloud.oss.Bucket(
    "raw",
    bucket=RAW_BUCKET,
    storage_class="Standard",
    redundancy_type="ZRS",
    force_destroy=False,
    server_side_encryption_rule={"sse_algorithm": "AES256"},
    versioning={"status": "Enabled"},
    lifecycle_rules=[
        {
            "id": "cool-down",  # Nobody reads it often by then: it moves to cheaper classes (ST006).
            "enabled": True,
            "prefix": "dataset/",
            "transitions": [
                {"days": 60, "storage_class": "IA"},
                {"days": 180, "storage_class": "Archive"},
            ],
            "abort_multipart_uploads": [{"days": 3}],
            "noncurrent_version_expirations": [{"days": 7}],
        },
    ],
    tags=JOB | {"trainform-role": "raw"},
    opts=pulumi.ResourceOptions(protect=True),
)
# Whatever a policy or a list of an object says, the public stays out (SE004).
alicloud.oss.BucketPublicAccessBlock(
    "raw",
    bucket=raw.bucket,
    block_public_access=True,
)
