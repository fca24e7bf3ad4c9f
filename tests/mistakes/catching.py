"""Makes one mistake in a program without one and says who catches it: the embedded preview, a guardrail, or nobody.

`<cloud>/mistakes.csv` has a row a mistake: a text of the program, what stands there instead, what the message must be
about, and what the vendor's own plugin does at preview (caught, missed, warn; ours: a mistake not tried there).
Run as `python -m tests.mistakes.catching` for the figures.
"""

import csv
import shutil
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import msgspec

from generator.errors import InputError, Problem
from generator.preview import preview
from policies.finding import Finding
from policies.judge import judge

HERE = Path(__file__).parent
TEMPLATES = HERE.parents[1] / "templates"
CLOUDS = sorted(path.parent.name for path in HERE.glob("*/mistakes.csv"))
OTHER_FILE = "(Pulumi.yaml) "  # begins the text of a mistake that is not made in the program


class Catch(msgspec.Struct, frozen=True, kw_only=True):
    """Who caught a mistake (preview, a rule's id, or empty), with its words, place and cure."""

    by: str
    words: str = ""
    place: str = ""
    cure: str = ""


class Mistake(msgspec.Struct, frozen=True, kw_only=True):
    """One edit of a program, and what the vendor's plugin makes of it at preview."""

    cloud: str
    mistake: str
    vendor: str
    about: str  # a word without which a finding is about something else
    old: str
    new: str
    why_missed: str = ""  # of a mistake that nobody catches offline

    def is_meant(self, caught: Catch) -> bool:
        """Whether a catch is about this mistake, not about something that came with it."""
        return self.about in caught.words + caught.cure


def mistakes(cloud: str) -> tuple[Mistake, ...]:
    """All mistakes of a cloud."""
    with (HERE / cloud / "mistakes.csv").open(encoding="utf-8", newline="") as file:
        return tuple(Mistake(cloud=cloud, **row) for row in csv.DictReader(file))


def lay_out(cloud: str, folder: Path) -> None:
    """The program of the cloud without a mistake, with the modules that a generated stack of the cloud brings along."""
    shutil.copytree(HERE / cloud, folder, dirs_exist_ok=True)
    for module in (TEMPLATES / cloud).glob("*.py"):
        shutil.copy(module, folder)


def make(mistake: Mistake, folder: Path) -> None:
    """Lay out the program of the cloud and make the mistake; the text must stand there once."""
    lay_out(mistake.cloud, folder)
    name = "Pulumi.yaml" if mistake.old.startswith(OTHER_FILE) else "__main__.py"
    file, old = folder / name, mistake.old.removeprefix(OTHER_FILE)
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {name} of {mistake.cloud}"
    file.write_text(text.replace(old, mistake.new), encoding="utf-8")


@cache
def known(cloud: str) -> frozenset[tuple[str, str, str]]:
    """What the guardrails say of the program without a mistake, less the notices: a mistake must add to it."""
    return frozenset(told(finding) for finding in right(cloud))


def right(cloud: str) -> list[Finding]:
    """The findings of the program without a mistake."""
    with tempfile.TemporaryDirectory() as place:
        lay_out(cloud, Path(place))
        return findings(Path(place))


def findings(folder: Path) -> list[Finding]:
    """What `check` would count: what a rule denies or warns of."""
    return [finding for finding in judge(preview(folder)).findings if finding.verdict in {"deny", "warn"}]


def told(finding: Finding) -> tuple[str, str, str]:
    return finding.rule, finding.resource, finding.message


def catch(mistake: Mistake) -> Catch:
    """Who catches the mistake first."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        make(mistake, folder)
        try:
            found = findings(folder)
        except InputError as error:
            return next(filter(mistake.is_meant, map(of_problem, error.problems)), Catch(by=""))
    new = (of_finding(finding) for finding in found if told(finding) not in known(mistake.cloud))
    return next(filter(mistake.is_meant, new), Catch(by=""))


@cache
def catches(cloud: str) -> dict[Mistake, Catch]:
    """Who catches each mistake of a cloud; two at a time, for a preview waits on a process of its own."""
    known(cloud)  # once, before two threads ask for it
    with ThreadPoolExecutor(2) as both:
        return dict(zip(mistakes(cloud), both.map(catch, mistakes(cloud)), strict=True))


def of_problem(problem: Problem) -> Catch:
    """What the preview refused."""
    where = problem.where
    place = f"{Path(where.file).name}:{where.line}" if where and where.line else ""
    return Catch(by="preview", words=problem.message, place=place, cure=problem.hint or "")


def of_finding(finding: Finding) -> Catch:
    """What a guardrail denied or warned of."""
    place = f"{finding.file}:{finding.line}" if finding.line else ""
    return Catch(by=finding.rule, words=finding.message, place=place, cure=finding.cure or "")


def report(cloud: str) -> str:
    """Every mistake of a cloud with who caught it, and the figures in the last line."""
    rows = catches(cloud).items()
    lines = [
        f"{caught.by or 'MISSED':8} {mistake.mistake}: {caught.words} [{caught.place}] {caught.cure}"
        for mistake, caught in rows
    ]
    ours = sum(bool(caught.by) for _, caught in rows)
    vendor = [mistake.vendor for mistake, _ in rows if mistake.vendor != "ours"]
    theirs = vendor.count("caught")
    figures = (
        f"{ours} of {len(rows)} caught offline ({ours / len(rows):.0%}); of the {len(vendor)} tried on the vendor's"
    )
    lines.append(f"{cloud}: {figures} plugin, it caught {theirs} at preview ({theirs / len(vendor):.0%})")
    return "\n".join(lines)


if __name__ == "__main__":
    for known_cloud in CLOUDS:
        print(report(known_cloud))  # noqa: T201
