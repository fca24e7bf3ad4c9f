"""Who the nodes are to the cloud."""

import json

import tencentcloud_iac_pulumi as tencentcloud

from settings import CHECKPOINT_BUCKET, DATA_BUCKET, JOB, NAME

# Nodes act in this role: no access key ever lies on a disk (SE002).
role = tencentcloud.cam.Role(
    "node",
    name=f"{NAME}-node",
    document=json.dumps(
        {
            "version": "2.0",
            "statement": [
                {
                    "effect": "allow",
                    "action": ["name/sts:AssumeRole"],
                    "principal": {"service": ["cvm.qcloud.com"]},
                },
            ],
        }
    ),
    console_login=False,
    tags=JOB,
)
READ = ["name/cos:GetObject", "name/cos:HeadObject"]
# Large objects go up in parts.
WRITE = [
    "name/cos:GetObject",
    "name/cos:HeadObject",
    "name/cos:PutObject",
    "name/cos:DeleteObject",
    "name/cos:InitiateMultipartUpload",
    "name/cos:UploadPart",
    "name/cos:ListParts",
    "name/cos:CompleteMultipartUpload",
    "name/cos:AbortMultipartUpload",
]


def objects(bucket: str, prefix: str) -> str:
    """How a policy names a bucket's objects below a prefix, in any region; its name ends in the account's APPID."""
    return f"qcs::cos::uid/{bucket.rpartition('-')[2]}:{bucket}/{prefix}*"


# What nodes may: write to the job's buckets, read where the data comes from; and nothing else.
policy = tencentcloud.cam.Policy(
    "node",
    name=f"{NAME}-node",
    document=json.dumps(
        {
            "version": "2.0",
            "statement": [
                {
                    "effect": "allow",
                    "action": WRITE,
                    "resource": [objects(CHECKPOINT_BUCKET, "")],
                },
                {
                    "effect": "allow",
                    "action": READ,
                    "resource": [objects(DATA_BUCKET, "instructions/")],
                },
                {
                    "effect": "allow",
                    "action": ["name/cos:GetBucket", "name/cos:HeadBucket"],
                    "resource": [objects(bucket, "") for bucket in [CHECKPOINT_BUCKET, DATA_BUCKET]],
                },
            ],
        }
    ),
)
# Joins the two; without it the role may do nothing.
tencentcloud.cam.RolePolicyAttachment(
    "node",
    role_id=role.id,
    policy_id=policy.id,
)
