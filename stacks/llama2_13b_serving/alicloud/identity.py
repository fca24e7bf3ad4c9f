"""Who the nodes are to the cloud."""

import json

import pulumi_alicloud as alicloud

from settings import DATA_BUCKET, NAME

# Nodes act in this role: no access key ever lies on a disk (SE002).
role = alicloud.ram.Role(
    "node",
    role_name=f"{NAME}-node",
    assume_role_policy_document=json.dumps(
        {
            "Version": "1",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": "sts:AssumeRole",
                    "Principal": {"Service": ["ecs.aliyuncs.com"]},
                },
            ],
        }
    ),
)


def objects(bucket: str, prefix: str) -> str:
    """How a policy names the objects of a bucket below a prefix."""
    return f"acs:oss:*:*:{bucket}/{prefix}*"


# What nodes may: read where the data comes from; and nothing else.
policy = alicloud.ram.Policy(
    "node",
    policy_name=f"{NAME}-node",
    policy_document=json.dumps(
        {
            "Version": "1",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": ["oss:GetObject"],
                    "Resource": [objects(DATA_BUCKET, "llama-2-13b/")],
                },
                {
                    "Effect": "Allow",
                    "Action": ["oss:ListObjects", "oss:GetBucketInfo"],
                    "Resource": [f"acs:oss:*:*:{bucket}" for bucket in [DATA_BUCKET]],
                },
            ],
        }
    ),
)
# Joins the two; without it the role may do nothing.
alicloud.ram.RolePolicyAttachment(
    "node",
    role_name=role.role_name,
    policy_name=policy.policy_name,
    policy_type="Custom",
)
