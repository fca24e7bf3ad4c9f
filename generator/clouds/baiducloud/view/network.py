"""VPC, subnet, security group and the way out."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.words import inner_reason, room_text

EGRESS_MBPS = 200  # the most the address may carry; traffic is what is paid for
ROCE_PORT = 4791  # RoCE v2 travels in UDP to this port


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """The names of network.py.jinja; `vpc_cidr` None: the VPC is the user's, and so with `subnet_cidr`."""

    title: str
    imports: tuple[str, ...]
    name: str  # of VPC and subnet, which take no dash
    subnet_name: str
    vpc_cidr: str | None
    vpc_id: str | None
    subnet_cidr: str | None
    subnet_id: str | None
    subnet_from_config: bool
    subnet_reason: str
    talk: bool
    inner_reason: str
    roce_port: str | None
    ssh: bool
    egress_mbps: int | None


def network_view(blueprint: Blueprint) -> Network:
    """The network of the stack: new, or the ids that the user already has."""
    network = blueprint.network
    own_subnet = network.existing_subnet is None
    from_config = bool(network.existing_vpc) and own_subnet
    own_vpc = network.existing_vpc is None
    imports = {"JOB", "NAME"}
    imports |= {"SSH_FROM"} if network.ssh else set()
    imports |= {"ZONE"} if own_subnet else set()
    imports |= {"SUBNET_CIDR"} if from_config else set()
    return Network(
        title="One VPC, one subnet in one zone: nodes of a job must not wait on traffic between zones (NW002).",
        imports=tuple(sorted(imports)),
        name=blueprint.name,
        subnet_name=f"{blueprint.name}_nodes",
        vpc_cidr=network.vpc_cidr if own_vpc else None,
        vpc_id=network.existing_vpc,
        subnet_cidr=network.subnet_cidr if own_subnet else None,
        subnet_id=network.existing_subnet,
        subnet_from_config=from_config,
        subnet_reason=room_text(blueprint, "subnet"),
        talk=blueprint.nodes.talks,
        inner_reason=inner_reason(blueprint),
        roce_port=str(ROCE_PORT) if blueprint.nodes.rdma and blueprint.candidate.type.rdma == "roce" else None,
        ssh=network.ssh,
        egress_mbps=EGRESS_MBPS if network.egress == "nat" and own_subnet else None,
    )
