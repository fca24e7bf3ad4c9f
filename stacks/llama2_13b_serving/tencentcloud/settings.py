"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
APP_ID = config.require("appId")
RELEASE_AT = config.require("releaseAt")

NAME = "llama2-13b-serving"
NODES = 3
RAW_BUCKET = f"{NAME}-raw-{APP_ID}"

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "llama2_13b_serving", "team": "serving"}
NODE = JOB | {
    "trainform-role": "infer",
    "trainform-nodes": "3",
    "trainform-dataset-gib": "26",
    "trainform-ttl": "720h",
}
