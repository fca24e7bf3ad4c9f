"""The page of each rule, made from the rule's own file and its example; `python -m policies.rule_pages` writes them.

An example is `policies/examples/<ID>.yaml.diff`: a program in Pulumi YAML (region cn-beijing) in which lines that begin
with `-` stand only where it fails and lines that begin with `+` only where it passes. Tests judge both.
"""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import msgspec

from policies.rules import our_rules
from policies.ruling import Rule

EXAMPLES = Path(__file__).parent / "examples"
PAGES = Path(__file__).parents[1] / "docs" / "rules"
LANGS = ("en", "zh")
WORDS = {
    "en": {
        "what": "What",
        "why": "Why",
        "source": "Source and doubt",
        "passes": "Passing example",
        "fails": "Failing example",
        "cure": "Cure",
        "waive": "How to waive",
        "opposed": "Where another tool says the opposite",
        "from": "Source: {source} [{rows}].",
        "doubt": "In doubt: {doubt}.",
        "reads": "It reads: {needs}.",
        "waiver": "In `waivers.yaml` beside the stack, in the spec's `waivers`, or right above the resource; reason, "
        "owner and end are required, and an expired waiver fails:",
        "reason": "why it may be so here",
        "unopposed": "None is known.",
        "deny": "deny",
        "warn": "warn",
        "info": "info",
        "worst": "At worst: {severity}.",
        "other": "[中文](zh/{id}.md) · [all rules](README.md)",
        "index": "# The rules\n\nEach page is made from the rule's own file by `python -m policies.rule_pages`; its "
        "examples are judged by the tests.\n`trainform explain ID` prints a page. [中文](zh/README.md)\n\n"
        "| rule | what it asks for | at worst |\n|---|---|---|\n",
    },
    "zh": {
        "what": "规则",
        "why": "原因",
        "source": "来源与存疑",
        "passes": "通过的示例",
        "fails": "不通过的示例",
        "cure": "修复",
        "waive": "如何豁免",
        "opposed": "与其他工具相反之处",
        "from": "来源：{source} [{rows}]。",
        "doubt": "存疑：{doubt}。",
        "reads": "读取：{needs}。",
        "waiver": "写在栈旁的 `waivers.yaml`、spec 的 `waivers`，或紧接资源上方的注释里；"
        "理由、负责人和到期日必填，过期的豁免会失败：",
        "reason": "此处允许的理由",
        "unopposed": "未知有相反的工具。",
        "deny": "拒绝",
        "warn": "警告",
        "info": "提示",
        "worst": "最严重：{severity}。",
        "other": "[English](../{id}.md) · [全部规则](README.md)",
        "index": "# 规则\n\n每页由规则自身的文件生成（`python -m policies.rule_pages`），其中的示例由测试判定。\n"
        "`trainform explain ID --lang zh` 打印页面。[English](../README.md)\n\n"
        "| 规则 | 要求 | 最严重 |\n|---|---|---|\n",
    },
}
HEADINGS = {"en": ("What: ", "Why: ", "Cure: "), "zh": ("规则：", "原因：", "修复：")}


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """One program in Pulumi YAML, as it fails a rule and as it passes."""

    fails: str
    passes: str


def find_example(rule_id: str) -> Example | None:
    """The example of a rule; None for a rule of a person's own."""
    path = EXAMPLES / f"{rule_id}.yaml.diff"
    if not path.is_file():
        return None
    lines = path.read_text(encoding="utf-8").splitlines()
    return Example(**{name: _side(lines, " " + mark) for name, mark in (("fails", "-"), ("passes", "+"))})


def _side(lines: list[str], marks: str) -> str:
    return "".join(f"{line[1:]}\n" for line in lines if line[:1] in marks)


def said(rule: Rule, lang: str) -> tuple[str, str, str]:
    """What a rule finds, why, and how it is cured; in English where the rule has no Chinese."""
    spoken = "zh" if lang == "zh" and rule.zh else "en"
    text = rule.zh if spoken == "zh" else rule.doc
    what, why, cure = HEADINGS[spoken]
    _, _, rest = text.partition(what)
    first, _, rest = rest.partition(why)
    second, _, third = rest.partition(cure)
    glue = "" if spoken == "zh" else " "
    found = tuple(_joined(part, glue) for part in (first, second, third))
    return found[0], found[1], found[2]


def _joined(text: str, glue: str) -> str:
    """The lines of a paragraph as one; Chinese lines meet without a space, but for two Latin words."""
    joined = ""
    for line in text.split("\n"):
        between = " " if joined and line and joined[-1].isascii() and line[0].isascii() else glue
        joined += (between if joined else "") + line.strip()
    return joined.strip()


def page(rule: Rule, lang: str) -> str:
    """The page of a rule as Markdown, with fixed headings."""
    words = WORDS[lang]
    what, why, cure = said(rule, lang)
    source = [words["from"].format(source=rule.source, rows=" ".join(rule.why))]
    if rule.doubt is not None:
        source.append(words["doubt"].format(doubt=rule.doubt.text(lang, {})))
    source.append(words["reads"].format(needs=", ".join(rule.needs)))
    opposed = f"{rule.opposed.text(lang, {})}{'。' if lang == 'zh' else '.'}" if rule.opposed else words["unopposed"]
    example = find_example(rule.id)
    waiver = f'# trainform: waive {rule.id} reason="{words["reason"]}" owner=team expires=2027-01-31'
    sections = {
        "what": f"{what} {words['worst'].format(severity=words[rule.severity])}",
        "why": why,
        "source": "\n".join(source),
        **({"passes": _code(example.passes), "fails": _code(example.fails)} if example else {}),
        "cure": cure,
        "waive": f"{words['waiver']}\n\n```python\n{waiver}\n```",
        "opposed": opposed,
    }
    body = "".join(f"\n## {words[name]}\n\n{text}\n" for name, text in sections.items())
    return f"# {rule.id}: {rule.title.text(lang, {})}\n{body}"


def _code(text: str) -> str:
    return f"```yaml\n{text}```"


def pages() -> dict[Path, str]:
    """Every page of our rules and the index in both languages, by its file."""
    found = {}
    for lang, folder in zip(LANGS, (PAGES, PAGES / "zh"), strict=True):
        words = WORDS[lang]
        rows = [
            f"| [{rule.id}]({rule.id}.md) | {rule.title.text(lang, {})} | {words[rule.severity]} |\n"
            for rule in our_rules()
        ]
        found[folder / "README.md"] = words["index"] + "".join(rows)
        for rule in our_rules():
            found[folder / f"{rule.id}.md"] = f"{page(rule, lang)}\n{words['other'].format(id=rule.id)}\n"
    return found


def page_address(rule_id: str) -> str | None:
    """Where a rule's page is: below the documentation that the package names, else in the checkout, else None."""
    try:
        told = importlib.metadata.metadata("trainform").get_all("Project-URL") or []
    except importlib.metadata.PackageNotFoundError:
        told = []
    for entry in told:
        label, _, address = entry.partition(", ")
        if label == "Documentation":
            return f"{address.rstrip('/')}/rules/{rule_id}.md"
    file = PAGES / f"{rule_id}.md"
    return file.as_uri() if file.is_file() else None


def write_pages() -> None:
    """Write every page, and remove those that are of no rule."""
    wanted = pages()
    for path in set(PAGES.rglob("*.md")) - set(wanted):
        path.unlink()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages()
