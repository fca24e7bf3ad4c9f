"""SE001: no administration or notebook port is open to the world.

What: a rule lets the whole internet in to a port of remote shells, notebooks, dashboards or cluster managers, or to
all ports. Halves of the internet count (0.0.0.0/1), as does IPv6. A drop rule is none.
Why: such machines are found within minutes, and a notebook without a password is a shell.
Cure: the address ranges of the people who work there, or a bastion, a VPN, the vendor's remote shell.
"""

from collections.abc import Iterator

from generator.facts import Facts, IngressRule
from generator.program.values import UNKNOWN, Unknown
from policies.ruling import Message, Ruling, deny, unknown
from policies.world import is_world

ID = "SE001"
SEVERITY = "deny"
TITLE = Message(en="no administration or notebook port is open to the world", zh="管理与笔记本端口不得向公网开放")
WHY = ("ours",)
SOURCE = "ports of SSH, RDP, VNC, Docker, etcd, Kubernetes, Jupyter, TensorBoard, Ray, Dask, torchrun by their projects"
NEEDS = ("IngressRule.accept", "IngressRule.ports", "IngressRule.sources", "IngressRule.group")
SUBJECT = IngressRule

PORTS = (22, 2375, 2376, 2379, 3389, 5900, 6006, 6443, 8080, 8265, 8787, 8888, 10250, 29500)
ALL = (0, 65535)

OPEN = Message(en="{what} is open to {source}", zh="{what} 向 {source} 开放")
UNSEEN = Message(en="to whom {what} is open is not known before `up`", zh="{what} 向谁开放在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every rule that lets something in."""
    for rule in facts.of(IngressRule):
        if rule.accept is False:
            continue
        ports = named(rule.ports)
        if not ports:
            continue
        wide = [source for source in rule.sources if isinstance(source, str) and is_world(source)]
        if wide and rule.ports is not UNKNOWN and rule.accept is True:
            yield deny(rule, "sources", OPEN, "narrow", what=ports, source=wide[0])
        elif wide or UNKNOWN in rule.sources:
            yield unknown(rule, "sources", UNSEEN, "narrow", what=ports)


def named(ports: tuple[tuple[int, int], ...] | Unknown) -> str:
    """The guarded ports among those of a rule, in words; empty when there are none."""
    if isinstance(ports, Unknown):
        return "an unknown port"
    if any(low <= 1 and high >= ALL[1] for low, high in ports):
        return "every port"
    found = [str(port) for port in PORTS if any(low <= port <= high for low, high in ports)]
    return f"port {', '.join(found)}" if found else ""
