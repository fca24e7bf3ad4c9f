"""VPC, vSwitch, security group and the way out."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.words import inner_reason, room_text

EGRESS_MBPS = 200  # the most the address may carry; traffic is what is paid for


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """The names of network.py.jinja; `vpc_cidr` None: the VPC is the user's, and so with `subnet_cidr`."""

    title: str
    imports: tuple[str, ...]
    vpc_cidr: str | None
    vpc_id: str | None
    subnet_cidr: str | None
    subnet_id: str | None
    subnet_from_config: bool
    subnet_reason: str
    inner_policy: str
    inner_reason: str
    ssh: bool
    egress_mbps: str | None


def network_view(blueprint: Blueprint) -> Network:
    """The network of the stack: new, or the ids that the user already has."""
    network = blueprint.network
    own_subnet = network.existing_subnet is None
    egress = network.egress == "nat" and own_subnet
    imports = ["JOB", "NAME"]
    if network.ssh:
        imports.append("SSH_FROM")
    if own_subnet:
        imports.append("ZONE")
    if network.existing_vpc and own_subnet:
        imports.append("SUBNET_CIDR")
    return Network(
        title="One VPC, one vSwitch in one zone: nodes of a job must not wait on traffic between zones (NW002).",
        imports=tuple(sorted(imports)),
        vpc_cidr=None if network.existing_vpc else network.vpc_cidr,
        vpc_id=network.existing_vpc,
        subnet_cidr=network.subnet_cidr if own_subnet else None,
        subnet_id=network.existing_subnet,
        subnet_from_config=bool(network.existing_vpc) and own_subnet,
        subnet_reason=room_text(blueprint, "vSwitch"),
        inner_policy="Accept" if blueprint.nodes.talks else "Drop",
        inner_reason=inner_reason(blueprint),
        ssh=network.ssh,
        egress_mbps=str(EGRESS_MBPS) if egress else None,
    )
