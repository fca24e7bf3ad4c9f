"""The public address of the first node, which the spec asks for; SSH reaches it only from the ranges in `sshFrom`."""

import pulumi_alicloud as alicloud

from nodes import nodes
from settings import JOB, NAME

# Paid by what goes through it; enough for a shell and a notebook behind a tunnel.
public_address = alicloud.ecs.EipAddress(
    "access",
    address_name=f"{NAME}-access",
    payment_type="PayAsYouGo",
    internet_charge_type="PayByTraffic",
    bandwidth="20",
    isp="BGP",
    tags=JOB,
)
# On the first node; the others are reached from it.
alicloud.ecs.EipAssociation(
    "access",
    allocation_id=public_address.id,
    instance_id=nodes[0].id,
    instance_type="EcsInstance",
)
