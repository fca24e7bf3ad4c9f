"""One VPC, one subnet in one zone: nodes of a job must not wait on traffic between zones (NW002)."""

import pulumi

import baiducloud
from settings import JOB, NAME, ZONE

# The provider replaces whatever bears a changed tag, and all that hangs on it: tags are set once.
KEEP = pulumi.ResourceOptions(ignore_changes=["tags"])

# A network of its own: what else the account runs is not in reach, and a destroy takes nothing else with it.
vpc = baiducloud.Vpc(
    "vpc",
    name="llama3_8b_lora_baidu",
    cidr="10.20.0.0/16",
    tags=JOB,
    opts=KEEP,
)
vpc_id = vpc.id
# 4,092 addresses: 1 node and room to grow without a new subnet.
subnet = baiducloud.Subnet(
    "nodes",
    name="llama3_8b_lora_baidu_nodes",
    vpc_id=vpc_id,
    cidr="10.20.0.0/20",
    zone_name=ZONE,
    subnet_type="BCC",
    tags=JOB,
    opts=KEEP,
)
subnet_id = subnet.id
# Closed to the world; what is open stands below.
security_group = baiducloud.SecurityGroup(
    "nodes",
    name=NAME,
    vpc_id=vpc_id,
    description="Nodes of one job",
    tags=JOB,
    opts=KEEP,
)
# Packages, images, the bucket.
baiducloud.SecurityGroupRule(
    "out",
    security_group_id=security_group.id,
    direction="egress",
    ether_type="IPv4",
    protocol="all",
    port_range="1-65535",
    dest_ip="0.0.0.0/0",
)
# One address for all nodes, paid by what goes through it.
egress_address = baiducloud.Eip(
    "egress",
    name=f"{NAME}-egress",
    bandwidth_in_mbps=200,
    payment_timing="Postpaid",
    billing_method="ByTraffic",
    tags=JOB,
    opts=KEEP,
)
# Nodes have no public address; what they must fetch (packages, images) leaves through this gateway.
gateway = baiducloud.NatGateway(
    "egress",
    name=f"{NAME}-egress",
    vpc_id=vpc_id,
    spec="small",
    billing={"payment_timing": "Postpaid"},
    snat_eips=[egress_address.eip],  # Addresses, not ids.
)
# Lets the subnet out: a gateway serves nobody until a rule leads to it.
baiducloud.NatSnatRule(
    "egress",
    nat_id=gateway.id,
    rule_name=f"{NAME}-egress",
    source_cidr="10.20.0.0/20",
    public_ips_addresses=[egress_address.eip],
)
