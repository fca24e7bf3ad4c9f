"""A stream of events hides who refers to whom: what seems to be missing there is `unknown`, never a warning."""

import json

import pytest

from generator.resources import parse_stack
from policies.judge import judge
from tests.rules.drafts import ALARM, TODAY, Draft, node


def streamed(draft: Draft) -> bytes:
    """A draft as the engine's streaming preview would write it: no references, one event a line."""
    prelude = {"sequence": 0, "preludeEvent": {"config": draft.config}}
    events = [
        {
            "sequence": number,
            "resourcePreEvent": {
                "metadata": {
                    "op": "create",
                    "urn": resource.urn,
                    "new": {"urn": resource.urn, "type": resource.type, "inputs": {**resource.inputs}},
                }
            },
        }
        for number, resource in enumerate(draft.resources, 1)
    ]
    return b"\n".join(json.dumps(event).encode() for event in (prelude, *events))


def unwatched() -> Draft:
    """A GPU machine whose alarm watches something else."""
    draft = Draft()
    node(draft)
    draft.add(ALARM, "disk", metric="diskusage_utilization", contactGroups=["oncall"])
    return draft


def verdicts(draft: Draft, rule: str) -> set[tuple[str, str]]:
    """Verdict and message of one rule on the streamed draft."""
    (state,) = parse_stack(streamed(draft), "stream")
    assert state.references_hidden
    return {(one.verdict, one.message) for one in judge(state, today=TODAY).findings if one.rule == rule}


@pytest.mark.parametrize("rule", ["MO001", "MO002", "CO002"])
def test_what_seems_to_be_missing_is_unknown(rule: str) -> None:
    """The same machine is warned of where references are told, and is `unknown` with the reason where they are not."""
    assert {verdict for verdict, _ in verdicts(unwatched(), rule)} == {"unknown"}
    assert {verdict for verdict, _ in unwatched().verdicts(rule)} == {"warn"}
    assert all("hides which resource refers to which" in message for _, message in verdicts(unwatched(), rule))


def test_what_stands_in_the_resource_itself_is_judged_as_ever() -> None:
    """A hard disk is denied in every form."""
    draft = Draft()
    node(draft, systemDiskCategory="cloud")
    assert {verdict for verdict, _ in verdicts(draft, "ST002")} == {"deny"}
