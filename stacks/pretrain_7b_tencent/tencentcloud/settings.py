"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
APP_ID = config.require("appId")
SSH_PUBLIC_KEY = config.require("sshPublicKey")
RELEASE_AT = config.require("releaseAt")
SSH_FROM: list[str] = config.require_object("sshFrom")

NAME = "pretrain-7b-tencent"
NODES = 2
MASTER_ADDR = "10.20.0.10"  # Rank 0's address, at which the others meet.
CHECKPOINT_BUCKET = f"{NAME}-ckpt-{APP_ID}"
DATA_BUCKET = "example-datasets-1250000000"  # The user's own, named in the spec.

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "pretrain_7b_tencent", "team": "foundation"}
NODE = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "2",
    "trainform-checkpoint-every": "30min",
    "trainform-checkpoint-to": "bucket",
    "trainform-dataset-gib": "400",
    "trainform-ttl": "960h",
}
