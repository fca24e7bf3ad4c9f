"""Buckets for the data set, staged in from here; none is public."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from settings import JOB, RAW_BUCKET

# The data set is put here once; the nodes stage it in from here. A destroy must not take it along, so it is protected.
raw = huaweicloud.obs.Bucket(
    "raw",
    bucket=RAW_BUCKET,
    acl="private",  # There is no block of public access to switch on: private is all there is (SE004).
    storage_class="STANDARD",
    encryption=True,
    sse_algorithm="AES256",
    versioning=True,
    force_destroy=False,
    lifecycle_rules=[
        huaweicloud.obs.BucketLifecycleRuleArgs(
            name="cool-down",  # Nobody reads it often by then: it moves to cheaper classes (ST006).
            enabled=True,
            prefix="dataset/",
            transitions=[
                huaweicloud.obs.BucketLifecycleRuleTransitionArgs(
                    days=60,
                    storage_class="WARM",
                ),
                huaweicloud.obs.BucketLifecycleRuleTransitionArgs(
                    days=180,
                    storage_class="COLD",
                ),
            ],
            noncurrent_version_expirations=[
                huaweicloud.obs.BucketLifecycleRuleNoncurrentVersionExpirationArgs(days=7),
            ],
            abort_incomplete_multipart_uploads=[
                huaweicloud.obs.BucketLifecycleRuleAbortIncompleteMultipartUploadArgs(days=3),
            ],
        ),
    ],
    tags=JOB | {"trainform-role": "raw"},
    opts=pulumi.ResourceOptions(protect=True),
)
