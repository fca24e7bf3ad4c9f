"""What a person may set without a new design (declared in Pulumi.yaml), and the tags that guardrails read."""

import pulumi

config = pulumi.Config()
ZONE = config.require("zone")
IMAGE = config.require("image")
APP_ID = config.require("appId")
RELEASE_AT = config.require("releaseAt")
ON_DEMAND_NODES = config.require_int("onDemandNodes")

NAME = "llama3-8b-lora-tencent"
NODES = 1
CHECKPOINT_BUCKET = f"{NAME}-ckpt-{APP_ID}"
DATA_BUCKET = "example-datasets-1250000000"  # The user's own, named in the spec.

# What guardrails read. Facts of the workload stand on nodes only:
# no change of them may touch a network, a disk or a bucket.
JOB = {"trainform-job": "llama3_8b_lora_tencent", "team": "nlp"}
NODE = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "1",
    "trainform-checkpoint-every": "20min",
    "trainform-checkpoint-to": "bucket",
    "trainform-dataset-gib": "2",
    "trainform-ttl": "168h",
}
