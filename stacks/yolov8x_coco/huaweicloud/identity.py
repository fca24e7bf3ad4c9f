"""Who the nodes are to the cloud."""

import json

import pulumi_huaweicloud as huaweicloud

from settings import CHECKPOINT_BUCKET, NAME, RAW_BUCKET

# Large objects go up in parts.
WRITE = [
    "obs:object:GetObject",
    "obs:object:PutObject",
    "obs:object:DeleteObject",
    "obs:object:ListMultipartUploadParts",
    "obs:object:AbortMultipartUpload",
]


def objects_of(bucket: str, prefix: str) -> str:
    """How a policy names the objects of a bucket below a prefix."""
    return f"OBS:*:*:object:{bucket}/{prefix}*"


# What nodes may: write to the job's buckets; and nothing else.
objects = huaweicloud.iam.Role(
    "objects",
    name=f"{NAME}-objects",
    description="Buckets of one job",
    type="AX",
    policy=json.dumps(
        {
            "Version": "1.1",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": WRITE,
                    "Resource": [objects_of(RAW_BUCKET, "")],
                },
                {
                    "Effect": "Allow",
                    "Action": WRITE,
                    "Resource": [objects_of(CHECKPOINT_BUCKET, "")],
                },
                {
                    "Effect": "Allow",
                    "Action": ["obs:bucket:HeadBucket", "obs:bucket:ListBucket", "obs:bucket:GetBucketLocation"],
                    "Resource": [f"OBS:*:*:bucket:{bucket}" for bucket in [RAW_BUCKET, CHECKPOINT_BUCKET]],
                },
            ],
        }
    ),
)

# What nodes ask of the region's services: to take the figures that alarms are made of, and to find what is theirs.
calls = huaweicloud.iam.Role(
    "calls",
    name=f"{NAME}-calls",
    description="Calls of the nodes of one job",
    type="XA",
    policy=json.dumps(
        {
            "Version": "1.1",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Action": ["aom:metric:put"],
                },
            ],
        }
    ),
)
# Nodes act in the name of this agency: no access key ever lies on a disk (SE002).
agency = huaweicloud.iam.Agency(
    "node",
    name=f"{NAME}-node",
    description="Nodes of one job",
    delegated_service_name="op_svc_ecs",
    duration="FOREVER",
    domain_roles=[objects.name],  # OBS is global: a project's role does not reach it.
    project_roles=[huaweicloud.iam.AgencyProjectRoleArgs(project="cn-north-4", roles=[calls.name])],
)
