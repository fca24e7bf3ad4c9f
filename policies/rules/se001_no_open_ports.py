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
ZH = """\
规则：有规则让整个公网访问远程登录、笔记本、仪表盘或集群管理的端口，或全部端口。半个公网（0.0.0.0/1）和 IPv6 也算。拒
绝（drop）规则不算。
原因：这类机器几分钟内就会被扫描到，没有密码的笔记本等于一个 shell。
修复：只放通工作人员的网段，或使用堡垒机、VPN、厂商的远程登录。
"""
DOUBT = Message(
    en="the list of ports is ours: the usual ports of the projects named; a service on another port is not judged, "
    "nor is what a load balancer or a NAT entry opens in front of a machine",
    zh="端口列表为我们自定：取所列项目的常用端口；其他端口上的服务不作判断，"
    "负载均衡监听和 NAT 条目在机器前打开的端口也不作判断",
)
OPPOSED = Message(
    en="Checkov was measured to pass `-1/-1` and halves of the internet on port 22, and to fail a drop rule and a "
    "rule for 443 only",
    zh="实测 Checkov 放过 `-1/-1` 和 22 端口上的半个公网，却误报 drop 规则和只放通 443 的规则",
)
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
