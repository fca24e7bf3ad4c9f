"""NW004: the RDMA switch is valid for the type."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, A100_ERDMA, CONFIGURATION, INSTANCE, Draft

MODE = {"networkInterfaceTrafficMode": "HighPerformance"}
SCC = "ecs.sccgn7ex.32xlarge"
CASES: list[tuple[str, dict[str, object], dict[str, object]]] = [
    (INSTANCE, {"instanceType": A10} | MODE, {"instanceType": A100_ERDMA} | MODE),
    (INSTANCE, {"instanceType": SCC}, {"instanceType": SCC, "hpcClusterId": "hpc-1"}),
    (INSTANCE, {"instanceType": A10, "hpcClusterId": "hpc-1"}, {"instanceType": A10}),
    (
        CONFIGURATION,
        {"instanceTypes": [A10], "networkInterfaces": [MODE | {"instanceType": "Primary"}]},
        {"instanceTypes": [A100_ERDMA], "networkInterfaces": [MODE | {"instanceType": "Primary"}]},
    ),
]


@pytest.mark.parametrize(("kind", "wrong", "right"), CASES)
def test_value(kind: str, wrong: dict[str, object], right: dict[str, object]) -> None:
    """The wrong value is denied at its property, and the right one beside it passes."""
    for inputs, verdicts in ((wrong, {"deny"}), (right, set())):
        draft = Draft()
        draft.add(kind, "it", **inputs)
        assert {entry.verdict for entry in draft.findings("NW004")} == verdicts, inputs


def test_unknown_is_not_illegal() -> None:
    """What is unknown until `up` is not judged."""
    draft = Draft()
    draft.add(INSTANCE, "it", instanceType=UNKNOWN, networkInterfaceTrafficMode="HighPerformance")
    assert draft.findings("NW004") == []
