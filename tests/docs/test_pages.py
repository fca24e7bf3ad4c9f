"""The documentation: its links lead somewhere, and the rule that it shows is the one that the tests run."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PAGES = sorted(
    path
    for folder in (ROOT, ROOT / "docs", ROOT / "stacks")
    for path in folder.glob("*.md" if folder == ROOT else "**/*.md")
)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    """Each link to a file leads to one."""
    text = re.sub(r"```.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    targets = [target for target in LINK.findall(text) if not re.match(r"[a-z]+:|#", target)]
    assert [target for target in targets if not (path.parent / target.partition("#")[0]).exists()] == []


def test_the_rule_that_is_shown_is_tried() -> None:
    """The example of docs/own-rules.md is the file that the tests run through both doors."""
    shown = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "own-rules.md").read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    assert shown[1] == (ROOT / "tests" / "data" / "own_rules" / "tm001_team_tag.py").read_text(encoding="utf-8")
