"""`trainform select`: text for people, JSON for machines, exit 2 when nothing fits, and nothing written."""

import json
import socket
from pathlib import Path

import pytest

from generator.cli import main

SPEC = """
name: lora
workload: {task: finetune, model: llama-2-7b, method: lora, sequence_length: 1024, samples: 20000}
data: {size: 2GiB, samples: 20000}
goal: {deadline: 100h, budget: 2000 CNY}
where: {clouds: [alicloud]}
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    file = tmp_path / "spec.yaml"
    file.write_text(SPEC, encoding="utf-8")
    return file


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Exit code and what was printed."""
    with pytest.raises(SystemExit) as caught:
        main([*words])
    return int(caught.value.code or 0), capsys.readouterr().out


def test_text_has_every_section(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """The choice, why, memory, storage, cost, five runners-up, rejections by reason, assumptions, unknown facts."""
    code, text = run(capsys, "select", str(spec))
    assert code == 0
    titles = [line for line in text.splitlines() if line and not line.startswith(" ")]
    wanted = (
        "lora: ",
        "Why",
        "Memory",
        "Storage",
        "Cost",
        "Runners-up (5 of",
        "Rejected (",
        "Assumed",
        "Not known offline",
    )
    assert len(titles) == len(wanted)
    assert all(title.startswith(start) for title, start in zip(titles, wanted, strict=True))
    assert text.count("  6. ") == 1
    assert "  7. " not in text


def test_all_shows_every_runner_up_and_rejection(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """With --all nothing is left out."""
    answer = json.loads(run(capsys, "select", str(spec), "--format", "json")[1])
    text = run(capsys, "select", str(spec), "--all")[1]
    for entry in answer["runners_up"] + answer["rejected"]:
        assert entry["instance_type"] in text
    assert text.count("not_orderable") == sum(entry["reason"] == "not_orderable" for entry in answer["rejected"])


def test_json_is_the_same_on_every_run(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """The same input, the same bytes."""
    first, second = (run(capsys, "select", str(spec), "--format", "json") for _ in range(2))
    assert first == second
    assert json.loads(first[1])["chosen"]["cloud"] == "alicloud"


def test_nothing_fits_is_exit_2_and_still_an_answer(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """The JSON is printed with `chosen` null and what would have to change; the text says it too."""
    spec.write_text(SPEC.replace("100h", "6min"), encoding="utf-8")
    code, text = run(capsys, "select", str(spec), "--format", "json")
    answer = json.loads(text)
    assert (code, answer["chosen"], answer["runners_up"]) == (2, None, [])
    first = answer["relax"][0]
    assert set(first) == {"field", "from", "to", "candidate", "message"}
    assert set(first["candidate"]) == {"cloud", "region", "instance_type", "nodes", "hours", "run"}
    code, text = run(capsys, "select", str(spec))
    assert code == 2
    assert "lora: nothing fits" in text
    assert first["message"] in text


def test_it_needs_no_network_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that may not open a socket gets the same answer, and the folder stays as it was."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    assert run(capsys, "select", str(spec))[0] == 0
    assert [path.name for path in spec.parent.iterdir()] == ["spec.yaml"]


def test_columns_are_aligned(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """Hours and costs of the runners-up end in the same column."""
    lines = run(capsys, "select", str(spec))[1].split("Runners-up")[1].split("\n\n")[0].splitlines()[1:]
    ends = {line.index("CNY  ") for line in lines[1:]}
    assert len(ends) == 1
    assert all(line == line.rstrip() for line in lines)


class TestWhy:
    """`trainform why`."""

    def verdicts(self, capsys: pytest.CaptureFixture[str], spec: Path, instance_type: str) -> list[dict]:
        code, text = run(capsys, "why", str(spec), instance_type, "--format", "json")
        assert code == 0
        found: list[dict] = json.loads(text)
        assert all(
            set(one) == {"instance_type", "regions", "verdict", "reason", "message", "would_need"} for one in found
        )
        return found

    def test_the_chosen_one(self, capsys: pytest.CaptureFixture[str], spec: Path) -> None:
        """Its reasons, and its other regions as dominated."""
        pick = json.loads(run(capsys, "select", str(spec), "--format", "json")[1])["chosen"]
        found = self.verdicts(capsys, spec, pick["instance_type"])
        assert (found[0]["verdict"], found[0]["regions"]) == ("chosen", [pick["region"]])
        assert {one["reason"] for one in found[1:]} <= {"dominated"}

    def test_a_runner_up(self, capsys: pytest.CaptureFixture[str], spec: Path) -> None:
        """By how much it lost and the price at which it would have won."""
        runner = json.loads(run(capsys, "select", str(spec), "--format", "json")[1])["runners_up"][0]
        found = self.verdicts(capsys, spec, runner["instance_type"])[0]
        assert found["verdict"] == "runner_up"
        assert runner["why_not"] in found["message"]
        assert "CNY an hour" in found["would_need"]

    def test_a_card_that_is_too_small(self, capsys: pytest.CaptureFixture[str], spec: Path) -> None:
        """The memory on both sides, and what the layout search knows that would make it fit."""
        found = self.verdicts(capsys, spec, "ecs.sgn7i-vws-m8.4xlarge")[0]
        assert (found["verdict"], found["reason"]) == ("rejected", "memory")
        assert "GPU hours" in found["would_need"]

    @pytest.mark.parametrize(
        ("instance_type", "verdict", "words"),
        [
            ("ecs.c7.16xlarge", "out_of_scope", "no card"),
            ("GN10Xp.2XLARGE40", "out_of_scope", "tencentcloud"),
            ("ecs.c1.large", "out_of_scope", "no source describes it"),
            ("ecs.gn7i-c8g1.2xlrge", "unknown_type", "did you mean 'ecs.gn7i-c8g1.2xlarge'"),
            ("'; rm -rf /", "unknown_type", "no cloud sells"),
        ],
    )
    def test_a_type_that_is_not_judged(
        self, capsys: pytest.CaptureFixture[str], spec: Path, instance_type: str, verdict: str, words: str
    ) -> None:
        """Out of scope or unknown, with the nearest names."""
        found = self.verdicts(capsys, spec, instance_type)
        assert [one["verdict"] for one in found] == [verdict]
        assert words in found[0]["message"]

    def test_the_twin_of_the_chosen_one(self, capsys: pytest.CaptureFixture[str], spec: Path) -> None:
        """Spot goes first; its on-demand twin would need the job not to be interruptible."""
        spec.write_text(SPEC + "interruptible: true\n", encoding="utf-8")
        pick = json.loads(run(capsys, "select", str(spec), "--format", "json")[1])["chosen"]
        twin = self.verdicts(capsys, spec, pick["instance_type"])[1]
        assert (twin["verdict"], twin["would_need"]) == ("runner_up", "interruptible: false")

    def test_text(self, capsys: pytest.CaptureFixture[str], spec: Path) -> None:
        """One line a verdict and one for what it would need."""
        code, text = run(capsys, "why", str(spec), "ecs.gn8v.4xlarge")
        assert code == 0
        assert "rejected (not_orderable)" in text
        assert "it would need: hardware.allow: [ecs.gn8v.4xlarge]" in text


def test_an_old_price_says_its_age(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """A price list of over a year is called so beside the figure, by --today; a newer one, and one undated, is not."""
    node = next(
        line
        for line in run(capsys, "select", str(spec), "--today", "2026-09-01")[1].splitlines()
        if "CNY/h, list" in line
    )
    assert node.endswith("list of 2025-09")
    text = run(capsys, "select", str(spec), "--today", "2027-04-01")[1]
    assert "list of 2025-09, 1.5 years old" in text
    answer = json.loads(run(capsys, "select", str(spec), "--format", "json", "--today", "2027-04-01")[1])
    costs = answer["chosen"]["costs"]
    assert (costs[0]["price_date"], costs[0]["price_age_years"]) == ("2025-09", 1.5)
    assert all(part["price_age_years"] is None for part in costs if part["unit_price"] is None)


def test_a_day_that_is_none_is_refused(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    """--today takes a date in ISO form only."""
    assert run(capsys, "select", str(spec), "--today", "tomorrow")[0] == 2


def test_a_cloud_without_prices_still_selects_and_says_so_loudly(
    capsys: pytest.CaptureFixture[str], spec: Path
) -> None:
    """Huawei's V100 of 32 GB has no list price: a choice all the same, said loudly, null in JSON."""
    free = SPEC.replace("[alicloud]", "[huaweicloud]").replace("{deadline: 100h, budget: 2000 CNY}", "{deadline: 900h}")
    spec.write_text(f"{free}hardware: {{gpus: [V100-PCIE-32]}}\n", encoding="utf-8")
    code, text = run(capsys, "select", str(spec))
    assert code == 0
    assert "NO PRICE IS KNOWN for the node" in text
    assert "by least GiB of GPU memory x hours" in text
    code, text = run(capsys, "select", str(spec), "--format", "json")
    chosen = json.loads(text)["chosen"]
    assert code == 0
    assert chosen["run"] is None
    assert any(chosen["instance_type"] in part for part in chosen["unpriced"])
