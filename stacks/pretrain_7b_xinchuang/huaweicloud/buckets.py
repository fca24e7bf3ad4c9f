"""Buckets for checkpoints, which must outlive the nodes; none is public."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from settings import CHECKPOINT_BUCKET, JOB

# 4 checkpoints of 87.9 GiB, which must outlive the nodes. A destroy must not take it along, so it is protected.
checkpoints = huaweicloud.obs.Bucket(
    "checkpoints",
    bucket=CHECKPOINT_BUCKET,
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
            prefix="checkpoints/",
            transitions=[
                huaweicloud.obs.BucketLifecycleRuleTransitionArgs(
                    days=30,
                    storage_class="WARM",
                ),
                huaweicloud.obs.BucketLifecycleRuleTransitionArgs(
                    days=90,
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
    tags=JOB | {"trainform-role": "ckpt"},
    opts=pulumi.ResourceOptions(protect=True),
)
