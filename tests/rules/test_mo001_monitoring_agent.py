"""MO001: the monitoring agent is on."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import A10, CPU, NODE_POOL, Draft, node

AGENT = "#!/bin/bash\ncurl -fsS http://cms-agent-cn-beijing.example.com/Argus/agent_install_ecs.sh | bash\n"


@pytest.mark.parametrize(
    ("kind", "user_data", "verdicts"),
    [(A10, AGENT, []), (A10, None, ["warn"]), (A10, UNKNOWN, ["unknown"]), (CPU, None, [])],
)
def test_step_of_the_user_data(kind: str, user_data: object, verdicts: list[str]) -> None:
    """A machine with cards installs the agent at its start."""
    draft = Draft()
    node(draft, instanceType=kind, userData=user_data)
    assert [verdict for verdict, _ in draft.verdicts("MO001")] == verdicts


@pytest.mark.parametrize(
    ("switch", "verdicts"), [(True, []), (False, ["deny"]), (None, ["warn"]), (UNKNOWN, ["unknown"])]
)
def test_switch_of_a_node_pool(switch: object, verdicts: list[str]) -> None:
    """Switched off is denied, absent is a warning."""
    draft = Draft()
    draft.add(NODE_POOL, "pool", instanceTypes=[A10], installCloudMonitor=switch)
    assert [verdict for verdict, _ in draft.verdicts("MO001")] == verdicts


def test_not_applicable() -> None:
    """The machines of the Lingjun service have no such agent."""
    draft = Draft()
    draft.add("eflo/node:Node", "node", machineType="efg1.nvga1n")
    assert draft.verdicts("MO001") == []
