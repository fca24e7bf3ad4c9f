"""One VPC, one subnet in one zone: nodes of a job must not wait on traffic between zones (NW002)."""

import pulumi
import tencentcloud_iac_pulumi as tencentcloud

from settings import JOB, NAME, SSH_FROM, ZONE

# A network of its own: nothing else shares its addresses or its rules.
vpc = tencentcloud.vpc.Instance(
    "vpc",
    name=NAME,
    cidr_block="10.20.0.0/16",
    tags=JOB,
)
vpc_id: pulumi.Input[str] = vpc.id
# Routes of this subnet only: what else lives in the VPC keeps its own.
routes = tencentcloud.route.Table(
    "nodes",
    name=NAME,
    vpc_id=vpc_id,
    tags=JOB,
)

# 4,092 addresses: 2 nodes, the file system and room to grow without a new subnet.
subnet = tencentcloud.subnet.Instance(
    "nodes",
    name=NAME,
    vpc_id=vpc_id,
    availability_zone=ZONE,
    cidr_block="10.20.0.0/20",
    route_table_id=routes.id,
    is_multicast=False,
    tags=JOB,
)
subnet_id: pulumi.Input[str] = subnet.id

# Closed to the world; what is open stands below.
security_group = tencentcloud.security.Group(
    "nodes",
    name=NAME,
    description="Nodes of one job",
    tags=JOB,
)
# One rule set owns the whole group: a rule that is made elsewhere is removed by it.
tencentcloud.security.GroupRuleSet(
    "nodes",
    security_group_id=security_group.id,
    ingresses=[
        # NCCL and torchrun open ports of their own choosing between the nodes (NW005).
        tencentcloud.security.GroupRuleSetIngressArgs(
            action="ACCEPT",
            protocol="ALL",
            port="ALL",
            source_security_id=security_group.id,
            description="Members talk freely",
        ),
        # The servers of the parallel file system call its client back on this port.
        *[
            tencentcloud.security.GroupRuleSetIngressArgs(
                action="ACCEPT",
                protocol="TCP",
                port="988",
                cidr_block=cidr,
                description="The parallel file system calls back",
            )
            for cidr in ["10.20.0.0/20"]
        ],
        # SSH for the people who run the job, from where they are and nowhere else (SE001).
        *[
            tencentcloud.security.GroupRuleSetIngressArgs(
                action="ACCEPT",
                protocol="TCP",
                port="22",
                cidr_block=cidr,
                description="SSH for the people who run the job",
            )
            for cidr in SSH_FROM
        ],
    ],
    egresses=[
        tencentcloud.security.GroupRuleSetEgressArgs(
            action="ACCEPT",
            protocol="ALL",
            port="ALL",
            cidr_block="0.0.0.0/0",
            description="Packages, images, the bucket",
        ),
    ],
)

# One address for all nodes, paid by what goes through it.
egress_address = tencentcloud.eip.Instance(
    "egress",
    name=NAME,
    type="EIP",
    internet_charge_type="TRAFFIC_POSTPAID_BY_HOUR",
    internet_max_bandwidth_out=200,
    tags=JOB,
)
# Nodes have no public address; what they must fetch (packages, images) leaves through this gateway.
gateway = tencentcloud.nat.Gateway(
    "egress",
    name=NAME,
    vpc_id=vpc_id,
    zone=ZONE,
    bandwidth=200,
    max_concurrent=1000000,
    assigned_eip_sets=[egress_address.public_ip],  # Addresses, not ids.
    tags=JOB,
)
# Lets the subnet out: a gateway serves nobody until a route leads to it.
egress = tencentcloud.route.TableEntry(
    "egress",
    route_table_id=routes.id,
    destination_cidr_block="0.0.0.0/0",
    next_type="NAT",
    next_hub=gateway.id,
    description="Out through NAT",
)
