"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
APP_ID = config.require("appId")
RELEASE_AT = config.require("releaseAt")

NAME = "text-prep"
NODES = 3
MASTER_ADDR = "10.20.0.10"  # Rank 0's address, at which the others meet.
RAW_BUCKET = f"{NAME}-raw-{APP_ID}"
ARCHIVE_BUCKET = f"{NAME}-archive-{APP_ID}"

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "text_prep", "team": "data"}
NODE = JOB | {
    "trainform-role": "prep",
    "trainform-nodes": "3",
    "trainform-dataset-gib": "931.323",
    "trainform-ttl": "24h",
}
