"""What no table can say of legal values on Huawei Cloud: zones, gateways, system disks, what a timetable sets."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping
from typing import Any

from generator.catalog.offers import InstanceType
from generator.legality.table_forms import Illegal

ZONE_PATTERN = r"([a-z]{2}-[a-z]+-\d+)[a-z]"  # cn-north-4a
ZONE_FIELDS = ("availabilityZone", "availabilityZones[]")
DEFAULT_LEVELS: dict[str, str] = {}

SUBNET = "huaweicloud:Vpc/subnet:Subnet"
CONFIGURATION = "huaweicloud:As/configuration:Configuration"
POLICY = "huaweicloud:As/policy:Policy"


def check(token: str, inputs: Mapping[str, Any], kinds: tuple[InstanceType, ...]) -> Iterator[Illegal]:
    """A gateway outside its subnet, a pool without a system disk, a policy that sets a number and a share."""
    del kinds
    if token == SUBNET:
        yield from _gateway(inputs.get("gatewayIp"), inputs.get("cidr"))
    elif token == CONFIGURATION:
        yield from _system_disk(inputs.get("instanceConfig"))
    elif token == POLICY:
        yield from _number_and_share(inputs.get("scalingPolicyAction"))


def _gateway(address: Any, cidr: Any) -> Iterator[Illegal]:
    if not isinstance(address, str) or not isinstance(cidr, str):
        return
    try:
        inside = ipaddress.ip_address(address) in ipaddress.ip_network(cidr, strict=False)
    except ValueError:
        inside = False
    if not inside:
        message = f"gatewayIp: {address!r} is not an address of {cidr}"
        yield Illegal(
            field="gatewayIp",
            message=message,
            wanted="an address of the subnet, such as its first",
            source="provider 1.73.3",
            subject="network",
        )


def _system_disk(config: Any) -> Iterator[Illegal]:
    disks = config.get("disks") if isinstance(config, Mapping) else None
    if not isinstance(disks, list) or not disks or not all(isinstance(disk, Mapping) for disk in disks):
        return
    kinds = [disk.get("diskType") for disk in disks]
    # that a type is written in upper case is the tables' matter
    system = sum(isinstance(kind, str) and kind.upper() == "SYS" for kind in kinds)
    if all(isinstance(kind, str) for kind in kinds) and system != 1:
        message = f"instanceConfig.disks: {system} disks of type SYS, where one is due"
        yield Illegal(
            field="instanceConfig.disks",
            message=message,
            wanted="one disk of type SYS, data disks of type DATA",
            source="SDK 0.0.12",
            subject="other",
        )


def _number_and_share(action: Any) -> Iterator[Illegal]:
    given = action if isinstance(action, Mapping) else {}
    # 0 counts as given: a policy that empties a group may not name a share either
    if given.get("instanceNumber") is not None and given.get("instancePercentage") is not None:
        yield Illegal(
            field="scalingPolicyAction.instancePercentage",
            message="scalingPolicyAction.instancePercentage: it must not stand beside instanceNumber",
            wanted=None,
            source="provider 1.73.3",
            subject="other",
        )
