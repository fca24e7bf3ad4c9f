"""VPC, subnet, security group and the way out."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.words import inner_reason, room_text

EGRESS_MBPS = 200  # the most the address may carry; traffic is what is paid for
# Who may call the client of a parallel file system back when the subnet's range is not known: whoever is in a VPC.
PRIVATE_RANGES = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16")


class Network(msgspec.Struct, frozen=True, kw_only=True):
    """The names of network.py.jinja; `vpc_cidr` None: the VPC is the user's, and so with `subnet_cidr`.

    `storage_ranges`: from where the servers of a parallel file system call back; () where there is none.
    """

    title: str
    imports: tuple[str, ...]
    vpc_cidr: str | None
    vpc_id: str | None
    subnet_cidr: str | None
    subnet_id: str | None
    subnet_from_config: bool
    subnet_reason: str
    talk: bool
    inner_reason: str
    ssh: bool
    egress_mbps: int | None
    storage_ranges: tuple[str, ...]


def has_egress(blueprint: Blueprint) -> bool:
    """True when the stack makes its own way out; a subnet of the user's has its own."""
    return blueprint.network.egress == "nat" and blueprint.network.existing_subnet is None


def network_view(blueprint: Blueprint) -> Network:
    """The network of the stack: new, or the ids that the user already has."""
    network = blueprint.network
    own_subnet = network.existing_subnet is None
    from_config = bool(network.existing_vpc) and own_subnet
    imports = ["JOB", "NAME"]
    if network.ssh:
        imports.append("SSH_FROM")
    if own_subnet:
        imports.append("ZONE")
    if from_config:
        imports.append("SUBNET_CIDR")
    ranges: tuple[str, ...] = ()
    if blueprint.stored("file_system"):
        ranges = (network.subnet_cidr,) if own_subnet and not from_config else PRIVATE_RANGES
    return Network(
        title="One VPC, one subnet in one zone: nodes of a job must not wait on traffic between zones (NW002).",
        imports=tuple(sorted(imports)),
        vpc_cidr=None if network.existing_vpc else network.vpc_cidr,
        vpc_id=network.existing_vpc,
        subnet_cidr=network.subnet_cidr if own_subnet else None,
        subnet_id=network.existing_subnet,
        subnet_from_config=from_config,
        subnet_reason=room_text(blueprint, "subnet"),
        talk=blueprint.nodes.talks,
        inner_reason=inner_reason(blueprint),
        ssh=network.ssh,
        egress_mbps=EGRESS_MBPS if has_egress(blueprint) else None,
        storage_ranges=ranges,
    )
