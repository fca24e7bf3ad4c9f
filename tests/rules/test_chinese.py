"""What is said in Chinese is Chinese."""

import importlib

import msgspec
import pytest

from generator.clouds import cloud_ids
from policies.judge import judge
from policies.rules import our_rules
from tests.planted.faults import FAULTS
from tests.rules.drafts import TODAY, Draft
from tests.rules.test_same_verdict import SIZED, cannot


def has_chinese(text: str) -> bool:
    """True where a letter is Chinese."""
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


@pytest.mark.parametrize("cloud", cloud_ids())
def test_every_message_of_a_planted_fault(cloud: str) -> None:
    """Every finding on every planted fault has a Chinese message, whichever rule says it."""
    planted = importlib.import_module(f"tests.planted.{cloud}")
    bare = set()
    for fault in FAULTS:
        if fault.name in cannot(cloud):
            continue
        draft = Draft(cloud, planted.REGION, outputs=SIZED)
        planted.PLANTED[fault.name](draft)
        found = judge(draft.state(), lang="zh", today=TODAY).findings
        assert found
        bare |= {(finding.rule, finding.message) for finding in found if not has_chinese(finding.message)}
    assert bare == set()


def test_a_rule_that_raises() -> None:
    """That a rule failed is told in Chinese too."""
    draft = Draft()
    importlib.import_module("tests.planted.alicloud").PLANTED["card too small"](draft)

    def fail(_: object) -> list[object]:
        raise ValueError

    broken = msgspec.structs.replace(next(rule for rule in our_rules() if rule.id == "SZ002"), check=fail)
    (finding,) = judge(draft.state(), (broken,), lang="zh").findings
    assert finding.verdict == "error"
    assert has_chinese(finding.message)
