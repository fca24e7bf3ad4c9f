"""A small training job without a mistake: a GPU node with a data disk, a pool that bids, a file system, a bucket."""

import base64

import pulumi

import baiducloud

ZONE = "cn-bj-d"
JOB = {"trainform-job": "mistakes"}
TRAIN = JOB | {
    "trainform-role": "train",
    "trainform-nodes": "1",
    "trainform-checkpoint-every": "20min",
    "trainform-checkpoint-to": "bucket",
    "trainform-ttl": "7d",
}
SETUP = "#!/bin/bash\nDRIVER_VERSION=570.86.15\nbash NVIDIA-Linux-x86_64-570.86.15.run --silent\n"

vpc = baiducloud.Vpc("vpc", name="mistakes", cidr="10.20.0.0/16", tags=JOB)
subnet = baiducloud.Subnet(
    "nodes",
    name="mistakes_nodes",
    vpc_id=vpc.id,
    cidr="10.20.0.0/20",
    zone_name=ZONE,
    subnet_type="BCC",
    tags=JOB,
)
group = baiducloud.SecurityGroup("nodes", name="mistakes-nodes", vpc_id=vpc.id, tags=JOB)
baiducloud.SecurityGroupRule(
    "ssh",
    security_group_id=group.id,
    direction="ingress",
    ether_type="IPv4",
    protocol="tcp",
    port_range="22",
    source_ip="203.0.113.0/24",
)
baiducloud.SecurityGroupRule(
    "out",
    security_group_id=group.id,
    direction="egress",
    ether_type="IPv4",
    protocol="all",
    port_range="1-65535",
    dest_ip="0.0.0.0/0",
)
key = baiducloud.BccKeyPair("login", name="mistakes", public_key="ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 me@example")
spread = baiducloud.Deployset("nodes", name="mistakes", strategy="TOR_HA")
node = baiducloud.Instance(
    "node",
    name="mistakes-node",
    hostname="mistakes-node",
    image_id="m-Example1",
    instance_spec="bcc.hgn5IB.c116m978.8A100-80g",
    availability_zone=ZONE,
    subnet_id=subnet.id,
    security_groups=[group.id],
    keypair_id=key.id,
    deploy_set_ids=[spread.id],
    payment_timing="Postpaid",
    root_disk_storage_type="cloud_hp1",
    root_disk_size_in_gb=200,
    cds_disks=[{"storage_type": "premium_ssd", "cds_size_in_gb": 700}],
    action="start",
    stop_with_no_charge=True,
    user_data=SETUP,
    tags=TRAIN,
)
disk = baiducloud.Cds(
    "data",
    name="mistakes-data",
    zone_name=ZONE,
    storage_type="enhanced_ssd_pl1",
    disk_size_in_gb=1000,
    payment_timing="Postpaid",
    tags=JOB | {"trainform-role": "data"},
    opts=pulumi.ResourceOptions(protect=True, ignore_changes=["tags"]),
)
attached = baiducloud.CdsAttachment("data", cds_id=disk.id, instance_id=node.id)
baiducloud.AutoSnapshotPolicy(
    "daily",
    name="mistakes-daily",
    time_points=[3],
    repeat_weekdays=[0, 1, 2, 3, 4, 5, 6],
    retention_days=7,
    volume_ids=[attached.cds_id],
)
address = baiducloud.Eip(
    "out",
    name="mistakes-out",
    bandwidth_in_mbps=20,
    payment_timing="Postpaid",
    billing_method="ByTraffic",
    tags=JOB,
)
nat = baiducloud.NatGateway(
    "out",
    name="mistakes-out",
    vpc_id=vpc.id,
    spec="small",
    billing={"payment_timing": "Postpaid"},
    snat_eips=[address.eip],
)
baiducloud.NatSnatRule(
    "out",
    nat_id=nat.id,
    rule_name="mistakes-out",
    source_cidr="10.20.0.0/20",
    public_ips_addresses=[address.eip],
)
files = baiducloud.Cfs("files", name="mistakes", zone=ZONE, type="cap", protocol="nfs")
baiducloud.CfsMountTarget("files", fs_id=files.id, vpc_id=vpc.id, subnet_id=subnet.id)
baiducloud.BosBucket(
    "checkpoints",
    bucket="mistakes-checkpoints",
    acl="private",
    storage_class="STANDARD",
    server_side_encryption_rule="AES256",
    lifecycle_rules=[
        {
            "id": "cool",
            "status": "enabled",
            "resources": ["mistakes-checkpoints/old/*"],
            "condition": {"time": {"date_greater_than": "$(lastModified)+P30D"}},
            "action": {"name": "Transition", "storage_class": "STANDARD_IA"},
        },
    ],
    tags=JOB | {"trainform-role": "ckpt"},
    opts=pulumi.ResourceOptions(protect=True, ignore_changes=["tags"]),
)
cluster = baiducloud.Ccev2Cluster(
    "cluster",
    cluster_spec={
        "cluster_name": "mistakes",
        "cluster_type": "normal",
        "k8s_version": "1.30.1",
        "runtime_type": "containerd",
        "vpc_id": vpc.id,
        "plugins": ["core-dns", "kube-proxy"],
        "master_config": {
            "master_type": "managed",
            "cluster_ha": 3,
            "exposed_public": False,
            "cluster_blb_vpc_subnet_id": subnet.id,
            "managed_cluster_master_option": {"master_vpc_subnet_zone": "zoneD"},
        },
        "container_network_config": {
            "mode": "vpc-eni",
            "lb_service_vpc_subnet_id": subnet.id,
            "eni_vpc_subnet_ids": [{"zone_and_id": {"zoneD": subnet.id}}],
            "eni_security_group_id": group.id,
            "cluster_ip_service_cidr": "172.28.0.0/16",
            "max_pods_per_node": 64,
            "node_port_range_min": 30000,
            "node_port_range_max": 32767,
            "ip_version": "ipv4",
            "kube_proxy_mode": "ipvs",
        },
        "cluster_delete_option": {"delete_resource": True, "delete_cds_snapshot": True},
    },
    tags=JOB,
)
baiducloud.Ccev2InstanceGroup(
    "spot",
    spec={
        "cluster_id": cluster.id,
        "instance_group_name": "mistakes-spot",
        "replicas": 1,
        "instance_template": {
            "cluster_role": "node",
            "existed": False,
            "machine_type": "BCC",
            "instance_type": "G1",
            "instance_charging_type": "bidding",
            "image_id": "m-Example2",
            "ssh_key_id": key.id,
            "instance_resource": {
                "machine_spec": "bcc.hgn5IB.c116m978.8A100-80g",
                "root_disk_type": "cloud_hp1",
                "root_disk_size": 240,
                "cds_lists": [{"path": "/data", "storage_type": "enhanced_ssd_pl2", "cds_size": 600}],
            },
            "vpc_config": {
                "vpc_id": vpc.id,
                "vpc_subnet_id": subnet.id,
                "security_group_id": group.id,
                "available_zone": "zoneD",
            },
            "deploy_custom_config": {"post_user_script": base64.b64encode(SETUP.encode()).decode()},
            "instance_taints": [{"key": "trainform-job", "value": "mistakes", "effect": "NoSchedule"}],
            "tag_lists": [{"tag_key": tag, "tag_value": value} for tag, value in TRAIN.items()],
            "delete_option": {"delete_resource": True, "delete_cds_snapshot": True},
        },
    },
)

pulumi.export("node", node.internal_ip)
