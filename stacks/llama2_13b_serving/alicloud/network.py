"""One VPC, one vSwitch in one zone: nodes of a job must not wait on traffic between zones (NW002)."""

import pulumi
import pulumi_alicloud as alicloud

from settings import JOB, NAME, ZONE

# A network of its own: nothing else shares its addresses or its rules.
vpc = alicloud.vpc.Network(
    "vpc",
    vpc_name=NAME,
    cidr_block="10.20.0.0/16",
    tags=JOB,
)
vpc_id: pulumi.Input[str] = vpc.id

# 4,092 addresses: 2 nodes and room to grow without a new vSwitch.
vswitch = alicloud.vpc.Switch(
    "nodes",
    vswitch_name=NAME,
    vpc_id=vpc_id,
    cidr_block="10.20.0.0/20",
    zone_id=ZONE,
    tags=JOB,
)
vswitch_id: pulumi.Input[str] = vswitch.id

# Closed to the world; what is open stands below.
security_group = alicloud.ecs.SecurityGroup(
    "nodes",
    security_group_name=NAME,
    vpc_id=vpc_id,
    security_group_type="normal",
    # Whoever may ask the service is put into this group; for all others its port is closed.
    inner_access_policy="Accept",
    tags=JOB,
)

# Nodes have no public address; what they must fetch (packages, images) leaves through this gateway.
gateway = alicloud.vpc.NatGateway(
    "egress",
    nat_gateway_name=NAME,
    vpc_id=vpc_id,
    vswitch_id=vswitch_id,
    nat_type="Enhanced",
    network_type="internet",
    payment_type="PayAsYouGo",
    internet_charge_type="PayByLcu",
    eip_bind_mode="NAT",
    tags=JOB,
)
# One address for all nodes, paid by what goes through it.
egress_address = alicloud.ecs.EipAddress(
    "egress",
    address_name=NAME,
    payment_type="PayAsYouGo",
    internet_charge_type="PayByTraffic",
    bandwidth="200",
    isp="BGP",
    tags=JOB,
)
# Gives the gateway its address.
egress_bound = alicloud.ecs.EipAssociation(
    "egress",
    allocation_id=egress_address.id,
    instance_id=gateway.id,
    instance_type="Nat",
)
# Lets the vSwitch out; an address must be bound before it is used.
egress = alicloud.vpc.SnatEntry(
    "egress",
    snat_entry_name=NAME,
    snat_table_id=gateway.snat_table_ids,
    source_vswitch_id=vswitch_id,
    snat_ip=egress_address.ip_address,
    opts=pulumi.ResourceOptions(depends_on=[egress_bound]),
)
