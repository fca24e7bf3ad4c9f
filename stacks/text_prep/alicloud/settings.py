"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
BUCKET_SUFFIX = config.require("bucketSuffix")
RELEASE_AT = config.require("releaseAt")

NAME = "text-prep"
NODES = 5
MASTER_ADDR = "10.20.0.10"  # Rank 0's address, at which the others meet.
ARCHIVE_BUCKET = f"{NAME}-archive-{BUCKET_SUFFIX}"
DATA_BUCKET = "example-datasets"  # The user's own, named in the spec.

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "text_prep", "team": "data"}
NODE = JOB | {
    "trainform-role": "prep",
    "trainform-nodes": "5",
    "trainform-dataset-gib": "931.323",
    "trainform-ttl": "24h",
}
