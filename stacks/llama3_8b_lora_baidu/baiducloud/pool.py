"""A spot pool of 1 x 8 x A100-SXM-80; the job saves when a node is taken back."""

import base64

import pulumi

import baiducloud
from identity import key
from network import security_group, subnet_id, vpc_id
from settings import IMAGE, JOB, NAME, NODE, NODES, ON_DEMAND_NODES, ZONE
from user_data import user_data

CCE_ZONE = f"zone{ZONE.rpartition('-')[2].upper()}"  # How CCE calls cn-bj-d: zoneD.


def node_script() -> str:
    """The start of a node as CCE takes it: a script in base64, which hands our text to cloud-init."""
    script = f"""#!/bin/bash
set -euo pipefail
cat >/root/trainform.yaml <<'TRAINFORM_END'
{user_data(0)}TRAINFORM_END
cloud-init --file /root/trainform.yaml single --name write_files --frequency always
systemctl daemon-reload
systemctl enable --now --no-block trainform-setup.service
"""
    return base64.b64encode(script.encode()).decode()


# Bidding is sold to node groups of a CCE cluster only; of the job, nothing runs in Kubernetes.
cluster = baiducloud.Ccev2Cluster(
    "nodes",
    cluster_spec={
        "cluster_name": NAME,
        "cluster_type": "normal",
        "k8s_version": "1.32.7",
        "runtime_type": "containerd",
        "vpc_id": vpc_id,
        "plugins": ["core-dns", "kube-proxy"],
        "master_config": {
            "master_type": "managed",
            "cluster_ha": 3,  # A managed master is three machines of the cloud.
            "exposed_public": False,
            "cluster_blb_vpc_subnet_id": subnet_id,
            "managed_cluster_master_option": {"master_vpc_subnet_zone": CCE_ZONE},
        },
        "container_network_config": {
            "mode": "vpc-eni",
            "lb_service_vpc_subnet_id": subnet_id,
            "eni_vpc_subnet_ids": [{"zone_and_id": {CCE_ZONE: subnet_id}}],
            "eni_security_group_id": security_group.id,
            "cluster_ip_service_cidr": "172.28.0.0/16",
            "max_pods_per_node": 64,
            "node_port_range_min": 30000,
            "node_port_range_max": 32767,
            "ip_version": "ipv4",
            "kube_proxy_mode": "ipvs",
        },
        # A destroy of the cluster takes what the cluster made: nodes left behind would go on costing.
        "cluster_delete_option": {"delete_resource": True, "delete_cds_snapshot": True},
    },
    tags=JOB,
    # The provider replaces a cluster whose tags change.
    opts=pulumi.ResourceOptions(ignore_changes=["tags"]),
)
# 8 x A100-SXM-80: ranked first for this job and its limits; the reasons: SELECTION.md.
MACHINE = "bcc.hgn5IB.c116m978.8A100-80g"

# The group bids at the market price: it takes no bid of ours, which never exceeds the list price here.
pool = baiducloud.Ccev2InstanceGroup(
    "spot",
    spec={
        "cluster_id": cluster.id,
        "instance_group_name": f"{NAME}-spot",
        "replicas": NODES,
        "instance_template": {
            "cluster_role": "node",
            "existed": False,
            "machine_type": "BCC",
            "instance_type": "G1",
            "instance_charging_type": "bidding",
            "image_id": IMAGE,
            "ssh_key_id": key.id,
            "instance_resource": {
                "machine_spec": MACHINE,
                "root_disk_type": "cloud_hp1",
                # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
                "root_disk_size": 200,
                # Under 1 MB/s needed, 1 MB/s and 40 GiB with head-room; 50 GiB give 145 MB/s.
                # A copy: the data set and the checkpoints lie in their buckets.
                "cds_lists": [{"storage_type": "cloud_hp1", "cds_size": 50}],
            },
            "vpc_config": {
                "vpc_id": vpc_id,
                "vpc_subnet_id": subnet_id,
                "security_group_id": security_group.id,
                "available_zone": CCE_ZONE,
            },
            "deploy_custom_config": {"post_user_script": node_script()},
            # No pod of the cluster's own takes the job's cards.
            "instance_taints": [{"key": "trainform-job", "value": JOB["trainform-job"], "effect": "NoSchedule"}],
            "tag_lists": [{"tag_key": tag, "tag_value": value} for tag, value in NODE.items()],
            "delete_option": {"delete_resource": True, "delete_cds_snapshot": True},
        },
    },
)

# Stands in while no bid is won: a group has one way to pay, so it is one of its own, empty until `onDemandNodes` is set
# to 1.
base = baiducloud.Ccev2InstanceGroup(
    "base",
    spec={
        "cluster_id": cluster.id,
        "instance_group_name": f"{NAME}-base",
        "replicas": ON_DEMAND_NODES,
        "instance_template": {
            "cluster_role": "node",
            "existed": False,
            "machine_type": "BCC",
            "instance_type": "G1",
            "instance_charging_type": "Postpaid",
            "image_id": IMAGE,
            "ssh_key_id": key.id,
            "instance_resource": {
                "machine_spec": MACHINE,
                "root_disk_type": "cloud_hp1",
                # 80 GiB for the image and its layers, SSD of 200 at least (D2-23).
                "root_disk_size": 200,
                # Under 1 MB/s needed, 1 MB/s and 40 GiB with head-room; 50 GiB give 145 MB/s.
                # A copy: the data set and the checkpoints lie in their buckets.
                "cds_lists": [{"storage_type": "cloud_hp1", "cds_size": 50}],
            },
            "vpc_config": {
                "vpc_id": vpc_id,
                "vpc_subnet_id": subnet_id,
                "security_group_id": security_group.id,
                "available_zone": CCE_ZONE,
            },
            "deploy_custom_config": {"post_user_script": node_script()},
            # No pod of the cluster's own takes the job's cards.
            "instance_taints": [{"key": "trainform-job", "value": JOB["trainform-job"], "effect": "NoSchedule"}],
            "tag_lists": [{"tag_key": tag, "tag_value": value} for tag, value in NODE.items()],
            "delete_option": {"delete_resource": True, "delete_cds_snapshot": True},
        },
    },
)
