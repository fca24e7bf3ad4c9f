"""`trainform explain`: rules, fields, types and cards in words, with where it is known from."""

import pytest
from click.testing import CliRunner

from generator.cli import trainform
from generator.errors import InputError
from generator.explanations import explain_field, explain_gpu, field_names, gpu_names
from policies.rule_pages import page
from policies.rules import our_rules


def said(*arguments: str, env: dict[str, str] | None = None) -> str:
    """What the command prints."""
    result = CliRunner().invoke(trainform, ["explain", *arguments], env=env, catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_rule() -> None:
    """A rule's page is printed in either language, by its id in any case."""
    rule = next(rule for rule in our_rules() if rule.id == "ST001")
    assert said("st001", "--lang", "en") == page(rule, "en")
    assert said("ST001", "--lang", "zh") == page(rule, "zh")


@pytest.mark.parametrize(("told", "words"), [("zh_CN.UTF-8", "机械硬盘"), ("C.UTF-8", "hard disk")])
def test_language_of_the_locale(told: str, words: str) -> None:
    """Without --lang the locale decides."""
    assert words in said("ST001", env={"LC_ALL": told})


def test_every_field() -> None:
    """Every field of the spec is explained, with its ways to be written or what it holds."""
    assert "goal.deadline" in field_names()
    for name in field_names():
        text = explain_field(name) or ""
        assert text.startswith(f"{name}: ")
        assert len(text.splitlines()) >= 3, name
    assert "such as 72h" in said("goal.deadline")


def test_every_card() -> None:
    """Every card is explained with the source of its figures; an alias tells what it means."""
    for name in gpu_names():
        assert "source: " in (explain_gpu(name) or ""), name
    assert said("910B").startswith("910B means ")


def test_type() -> None:
    """An instance type is told as the catalog has it, with sources and dates."""
    text = said("ecs.gn7i-c8g1.2xlarge")
    assert "1 x A10" in text
    assert "2025-09" in text


@pytest.mark.parametrize(
    ("word", "near"),
    [("STO01", "ST001"), ("goal.deadlin", "goal.deadline"), ("ecs.gn7i-c8g1.2xlarg", "ecs.gn7i-c8g1.2xlarge")],
)
def test_unknown_word(word: str, near: str) -> None:
    """What nobody knows is refused, with the nearest name."""
    with pytest.raises(InputError) as caught:
        trainform.main(["explain", word], standalone_mode=False)
    assert near in (caught.value.problems[0].hint or "")
