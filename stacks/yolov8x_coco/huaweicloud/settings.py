"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
BUCKET_SUFFIX = config.require("bucketSuffix")
RELEASE_AT = config.require("releaseAt")

NAME = "yolov8x-coco"
NODES = 1
RAW_BUCKET = f"{NAME}-raw-{BUCKET_SUFFIX}"
CHECKPOINT_BUCKET = f"{NAME}-ckpt-{BUCKET_SUFFIX}"

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "yolov8x_coco", "team": "vision"}
NODE = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "1",
    "trainform-checkpoint-every": "30min",
    "trainform-checkpoint-to": "bucket",
    "trainform-dataset-gib": "25",
    "trainform-ttl": "96h",
}
