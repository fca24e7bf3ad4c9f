"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
BUCKET_SUFFIX = config.require("bucketSuffix")
SSH_PUBLIC_KEY = config.require("sshPublicKey")
USER_ID = config.require("userId")
SSH_FROM: list[str] = config.require_object("sshFrom")

NAME = "pretrain-7b-xinchuang"
NODES = 2
MASTER_ADDR = "10.20.0.10"  # Rank 0's address, at which the others meet.
CHECKPOINT_BUCKET = f"{NAME}-ckpt-{BUCKET_SUFFIX}"
DATA_BUCKET = "example-datasets"  # The user's own, named in the spec.

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "pretrain_7b_xinchuang", "team": "foundation"}
NODE = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "2",
    "trainform-checkpoint-every": "30min",
    "trainform-checkpoint-to": "bucket",
    "trainform-dataset-gib": "400",
}
