"""NW006: address ranges do not overlap, lie in their network, and are large enough.

What: two subnets of one network overlap, a subnet lies outside its network, a range is no range, or a subnet has fewer
addresses than its machines and pools may need.
Why: the plugin looks at none of it; `up` fails, or the pool stops growing in the middle of a run.
Cure: ranges of their own within the network, with room for every machine.
"""

import ipaddress
import itertools
from collections.abc import Iterator

from generator.facts import Facts, Node, Subnet
from policies.ruling import Message, Ruling, deny

ID = "NW006"
SEVERITY = "deny"
TITLE = Message(en="address ranges fit", zh="网段不重叠且容量足够")
WHY = ("ours",)
SOURCE = "the clouds' VPC documentation; reserved addresses by cloud"
ZH = """\
规则：同一网络的两个子网重叠，子网超出所在网络，网段写法无效，或子网地址数少于机器和伸缩组可能需要的数量。
原因：插件不检查这些；up 会失败，或伸缩组在运行中途无法扩容。
修复：在网络内使用互不重叠、足够容纳所有机器的网段。
"""
DOUBT = Message(
    en="addresses that other stacks take in the same subnet are not seen",
    zh="看不到其他栈在同一子网中占用的地址",
)
NEEDS = ("Subnet.cidr", "Subnet.network", "Subnet.network_cidr", "Subnet.reserved", "Node.subnets", "Node.count")
SUBJECT = Subnet

NO_RANGE = Message(en="{cidr} is no address range", zh="{cidr} 不是有效网段")
OUTSIDE = Message(en="{cidr} lies outside {around}, the range of its network", zh="{cidr} 不在其网络网段 {around} 之内")
OVERLAP = Message(
    en="{cidr} overlaps with {other}, another subnet of its network", zh="{cidr} 与同一网络的另一子网 {other} 重叠"
)
SMALL = Message(
    en="{cidr} has {free} addresses, and its machines may need {need}",
    zh="{cidr} 有 {free} 个地址，而其机器可能需要 {need} 个",
)

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every subnet whose range is known, alone, against its network and its neighbours."""
    ranges: dict[str, list[tuple[Subnet, Network]]] = {}
    needs = _needs(facts)
    for subnet in facts.of(Subnet):
        if not isinstance(subnet.cidr, str):
            continue
        found = _range(subnet.cidr)
        if found is None:
            yield deny(subnet, "cidr", NO_RANGE, "range", cidr=subnet.cidr)
            continue
        around = _range(subnet.network_cidr)
        if around is not None and not _within(found, around):
            yield deny(subnet, "cidr", OUTSIDE, "range", cidr=found, around=around)
        free, need = found.num_addresses - subnet.reserved, needs.get(subnet.resource.urn, 0)
        if free < need:
            yield deny(subnet, "cidr", SMALL, "range", cidr=found, free=max(free, 0), need=need)
        if isinstance(subnet.network, str):
            ranges.setdefault(subnet.network, []).append((subnet, found))
    for neighbours in ranges.values():
        for (_, first), (subnet, second) in itertools.combinations(neighbours, 2):
            if first.version == second.version and first.overlaps(second):
                yield deny(subnet, "cidr", OVERLAP, "range", cidr=second, other=first)


def _needs(facts: Facts) -> dict[str, int]:
    """How many machines may stand in a subnet, by its URN."""
    found: dict[str, int] = {}
    for node in facts.of(Node):
        for subnet in node.subnets:
            if isinstance(subnet, str) and isinstance(node.count, int):
                found[subnet] = found.get(subnet, 0) + node.count
    return found


def _range(text: object) -> Network | None:
    try:
        return ipaddress.ip_network(text, strict=False) if isinstance(text, str) else None
    except ValueError:
        return None


def _within(inner: Network, outer: Network) -> bool:
    if isinstance(inner, ipaddress.IPv4Network) and isinstance(outer, ipaddress.IPv4Network):
        return inner.subnet_of(outer)
    return (
        isinstance(inner, ipaddress.IPv6Network) and isinstance(outer, ipaddress.IPv6Network) and inner.subnet_of(outer)
    )
