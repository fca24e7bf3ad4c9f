"""Mistakes that would cost money at `up` are caught by `preview` and `check`, offline, with place and cure."""

import pytest

from tests.mistakes.catching import CLOUDS, Mistake, catches, known, mistakes, right

ALL = [mistake for cloud in CLOUDS for mistake in mistakes(cloud)]


@pytest.mark.parametrize("cloud", CLOUDS)
def test_there_are_many_and_different_mistakes(cloud: str) -> None:
    """At least 40 mistakes a cloud, no two alike, of which at most one in twenty is missed, with a reason."""
    tried = {(mistake.old, mistake.new) for mistake in mistakes(cloud)}
    assert len(tried) == len(mistakes(cloud)) >= 40
    assert sum(bool(mistake.why_missed) for mistake in mistakes(cloud)) <= len(tried) / 20


@pytest.mark.slow
@pytest.mark.parametrize("cloud", CLOUDS)
def test_the_program_without_a_mistake_is_not_denied(cloud: str) -> None:
    """What a mistake is added to passes the preview, and no guardrail denies it."""
    assert {finding.rule for finding in right(cloud) if finding.verdict == "deny"} == set()
    assert len(known(cloud)) < 10


@pytest.mark.slow
@pytest.mark.parametrize("mistake", ALL, ids=lambda mistake: f"{mistake.cloud}: {mistake.mistake}")
def test_a_mistake_is_caught_with_place_and_cure(mistake: Mistake) -> None:
    """Whoever catches it names the line or the resource, and what is legal there."""
    caught = catches(mistake.cloud)[mistake]
    if mistake.why_missed:
        assert not caught.by, "it is caught now: it needs no reason any more"
        return
    assert caught.by, "nobody caught it"
    assert caught.place or "'node'" in caught.words or "While processing resource: '" in caught.words
    assert caught.cure or caught.by == "preview"
