"""One VPC, one subnet in one zone: nodes of a job must not wait on traffic between zones (NW002)."""

import pulumi
import pulumi_huaweicloud as huaweicloud

from settings import JOB, NAME, SSH_FROM, ZONE

# A network of its own: nothing else shares its addresses or its rules.
vpc = huaweicloud.vpc.Vpc(
    "vpc",
    name=NAME,
    cidr="10.20.0.0/16",
    tags=JOB,
)
vpc_id: pulumi.Input[str] = vpc.id

# 4,092 addresses: 2 nodes, the file system and room to grow without a new subnet.
subnet = huaweicloud.vpc.Subnet(
    "nodes",
    name=NAME,
    vpc_id=vpc_id,
    cidr="10.20.0.0/20",
    gateway_ip="10.20.0.1",
    availability_zone=ZONE,
    primary_dns="100.125.1.250",  # The cloud's own resolvers: others do not know its inner addresses,
    secondary_dns="100.125.129.250",  # such as those of OBS.
    tags=JOB,
)
subnet_id: pulumi.Input[str] = subnet.id

# Closed to the world; the default rules go, and what is open stands below.
security_group = huaweicloud.vpc.Secgroup(
    "nodes",
    name=NAME,
    description="Nodes of one job",
    delete_default_rules=True,
    tags=JOB,
)
# Packages, images, the bucket; without a rule nothing leaves.
huaweicloud.vpc.SecgroupRule(
    "out",
    security_group_id=security_group.id,
    direction="egress",
    ethertype="IPv4",
    remote_ip_prefix="0.0.0.0/0",
    action="allow",
    priority=1,
)
# HCCL and torchrun open ports of their own choosing between the nodes (NW005).
huaweicloud.vpc.SecgroupRule(
    "within",
    security_group_id=security_group.id,
    direction="ingress",
    ethertype="IPv4",
    remote_group_id=security_group.id,  # No protocol means all of them, and all ports.
    action="allow",
    priority=1,
)

for number, cidr in enumerate(SSH_FROM):
    # SSH for the people who run the job; a rule without a range would be open to the world (SE001).
    huaweicloud.vpc.SecgroupRule(
        f"ssh-{number}",
        security_group_id=security_group.id,
        direction="ingress",
        ethertype="IPv4",
        protocol="tcp",
        ports="22",
        remote_ip_prefix=cidr,
        action="allow",
        priority=1,
        description="SSH for the people who run the job",
    )

# One address for all nodes, paid by what goes through it.
egress_address = huaweicloud.vpc.Eip(
    "egress",
    name=NAME,
    publicip=huaweicloud.vpc.EipPublicipArgs(type="5_bgp"),
    bandwidth=huaweicloud.vpc.EipBandwidthArgs(
        share_type="PER",
        name=NAME,
        size=200,
        charge_mode="traffic",
    ),
    charging_mode="postPaid",
    tags=JOB,
)
# Nodes have no public address; what they must fetch (packages, images) leaves through this gateway.
gateway = huaweicloud.nat.Gateway(
    "egress",
    name=NAME,
    spec="1",  # The smallest: 10,000 connections at a time.
    vpc_id=vpc_id,
    subnet_id=subnet_id,
    charging_mode="postPaid",
    tags=JOB,
)
# Lets the subnet out: a gateway serves nobody without a rule.
egress = huaweicloud.nat.SnatRule(
    "egress",
    nat_gateway_id=gateway.id,
    subnet_id=subnet_id,
    floating_ip_id=egress_address.id,
    description="Out through NAT",
)
