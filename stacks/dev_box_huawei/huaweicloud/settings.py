"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
BUCKET_SUFFIX = config.require("bucketSuffix")
SSH_PUBLIC_KEY = config.require("sshPublicKey")
SCHEDULE_FROM = config.require("scheduleFrom")
SCHEDULE_UNTIL = config.require("scheduleUntil")
SSH_FROM: list[str] = config.require_object("sshFrom")

NAME = "dev-box-huawei"
NODES = 1
RAW_BUCKET = f"{NAME}-raw-{BUCKET_SUFFIX}"

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "dev_box_huawei", "team": "nlp"}
NODE = JOB | {"trainform-role": "dev", "trainform-nodes": "1", "trainform-dataset-gib": "100"}
