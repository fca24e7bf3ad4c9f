"""Buckets for checkpoints, which must outlive the nodes; none is public."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from settings import CHECKPOINT_BUCKET, JOB

# 4 checkpoints of 87.9 GiB, which must outlive the nodes. A destroy must not take it along, so it is protected.
checkpoints = tencentcloud.cos.Bucket(
    "checkpoints",
    bucket=CHECKPOINT_BUCKET,
    acl="private",  # There is no block of public access to switch on: private is all there is (SE004).
    encryption_algorithm="AES256",
    versioning_enable=True,
    force_clean=False,
    lifecycle_rules=[
        tencentcloud.cos.BucketLifecycleRuleArgs(
            id="cool-down",  # Nobody reads it often by then: it moves to cheaper classes (ST006).
            filter_prefix="checkpoints/",
            transitions=[
                tencentcloud.cos.BucketLifecycleRuleTransitionArgs(
                    days=30,
                    storage_class="STANDARD_IA",
                ),
                tencentcloud.cos.BucketLifecycleRuleTransitionArgs(
                    days=90,
                    storage_class="ARCHIVE",
                ),
            ],
            abort_incomplete_multipart_upload=tencentcloud.cos.BucketLifecycleRuleAbortIncompleteMultipartUploadArgs(
                days_after_initiation=3,
            ),
            non_current_expiration=tencentcloud.cos.BucketLifecycleRuleNonCurrentExpirationArgs(
                non_current_days=7,
            ),
        ),
    ],
    tags=JOB | {"trainform-role": "ckpt"},
    opts=pulumi.ResourceOptions(protect=True),
)
