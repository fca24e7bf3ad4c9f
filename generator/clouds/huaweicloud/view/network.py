"""VPC, subnet, security group and the way out."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.storage import shared_choice
from generator.stack.words import inner_reason, room_text

EGRESS_MBPS = 200  # the most the address may carry; traffic is what is paid for


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """The names of network.py.jinja; `vpc_cidr` None: the VPC is the user's, and so with `subnet_cidr`.

    `gateway_ip`: the first address of the subnet; `talk`: members of the group may reach one another.
    """

    title: str
    imports: tuple[str, ...]
    vpc_cidr: str | None
    vpc_id: str | None
    subnet_cidr: str | None
    gateway_ip: str
    subnet_id: str | None
    subnet_from_config: bool
    subnet_reason: str
    talk: bool
    inner_reason: str
    ssh: bool
    egress_mbps: int | None


def has_egress(blueprint: Blueprint) -> bool:
    """True when the stack makes its own way out; a subnet of the user's has its own."""
    return blueprint.network.egress == "nat" and blueprint.network.existing_subnet is None


def network_view(blueprint: Blueprint) -> Network:
    """The network of the stack: new, or the ids that the user already has."""
    network = blueprint.network
    own_subnet = network.existing_subnet is None
    from_config = bool(network.existing_vpc) and own_subnet
    imports = {"JOB", "NAME"}
    imports |= {"SSH_FROM"} if network.ssh else set()
    imports |= {"ZONE"} if own_subnet else set()
    imports |= {"SUBNET_CIDR"} if from_config else set()
    mounts = shared_choice(blueprint) is not None
    inner = "The file system is a member of the group too: nodes mount it through this rule."
    return Network(
        title="One VPC, one subnet in one zone: nodes of a job must not wait on traffic between zones (NW002).",
        imports=tuple(sorted(imports)),
        vpc_cidr=None if network.existing_vpc else network.vpc_cidr,
        vpc_id=network.existing_vpc,
        subnet_cidr=network.subnet_cidr if own_subnet else None,
        gateway_ip=f"{network.subnet_cidr.rpartition('.')[0]}.1",
        subnet_id=network.existing_subnet,
        subnet_from_config=from_config,
        subnet_reason=room_text(blueprint, "subnet"),
        talk=blueprint.nodes.talks or mounts,
        inner_reason=inner if mounts and not blueprint.nodes.talks else inner_reason(blueprint),
        ssh=network.ssh,
        egress_mbps=EGRESS_MBPS if has_egress(blueprint) else None,
    )
