"""SE001: no administration or notebook port is open to the world."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import Draft

RULE = "ecs/securityGroupRule:SecurityGroupRule"
WORLD = {"cidrIp": "0.0.0.0/0"}


@pytest.mark.parametrize(
    ("protocol", "ports", "source", "verdicts"),
    [
        ("tcp", "22/22", WORLD, ["deny"]),
        ("tcp", "1/65535", WORLD, ["deny"]),
        ("all", "-1/-1", WORLD, ["deny"]),
        ("tcp", None, WORLD, ["deny"]),
        ("tcp", "8880/8890", WORLD, ["deny"]),
        ("tcp", "22", WORLD, ["deny"]),
        ("tcp", "443/443", WORLD, []),
        ("tcp", "80/90", WORLD, []),
        ("icmp", "-1/-1", WORLD, []),
        ("tcp", "22/22", {"cidrIp": "0.0.0.0/1"}, ["deny"]),
        ("tcp", "22/22", {"cidrIp": "128.0.0.0/1"}, ["deny"]),
        ("tcp", "22/22", {"ipv6CidrIp": "::/0"}, ["deny"]),
        ("tcp", "22/22", {"ipv6CidrIp": "2000::/3"}, ["deny"]),
        ("tcp", "22/22", {"cidrIp": "203.0.113.0/24"}, []),
        ("tcp", "22/22", {"cidrIp": "10.0.0.0/8"}, []),
        ("tcp", "22/22", {"sourceSecurityGroupId": "sg-1"}, []),
        ("tcp", "22/22", {"cidrIp": UNKNOWN}, ["unknown"]),
        ("tcp", UNKNOWN, WORLD, ["unknown"]),
        ("tcp", "443/443", {"cidrIp": UNKNOWN}, []),
    ],
)
def test_ingress(protocol: str, ports: object, source: dict[str, object], verdicts: list[str]) -> None:
    """Ports and ranges decide, in every form they are written."""
    draft = Draft()
    draft.add(RULE, "rule", type="ingress", ipProtocol=protocol, portRange=ports, securityGroupId="sg-2", **source)
    assert [verdict for verdict, _ in draft.verdicts("SE001")] == verdicts


@pytest.mark.parametrize("port", [22, 2375, 2376, 2379, 3389, 5900, 6006, 6443, 8080, 8265, 8787, 8888, 10250, 29500])
def test_every_guarded_port(port: int) -> None:
    """Each port of the list is guarded."""
    draft = Draft()
    draft.add(RULE, "rule", type="ingress", ipProtocol="tcp", portRange=f"{port}/{port}", **WORLD)
    assert draft.verdicts("SE001") == [("deny", "rule")]


@pytest.mark.parametrize("inputs", [{"policy": "drop"}, {"type": "egress"}])
def test_what_lets_nothing_in(inputs: dict[str, str]) -> None:
    """A drop rule and a way out are no finding."""
    draft = Draft()
    draft.add(RULE, "rule", **({"type": "ingress", "ipProtocol": "tcp", "portRange": "22/22"} | WORLD | inputs))
    assert draft.verdicts("SE001") == []
