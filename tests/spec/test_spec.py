"""The spec as a user writes it: what loads, and every fault at once with its place."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.spec import CheckpointSection, InterruptibleSection, SpecFields, load_spec
from generator.spec.digest import spec_sha256
from generator.spec.quantities import Hours, Money, Range
from generator.spec.reader import field_types
from tests.spec_files import load, problems_of, with_values

ROOT = Path(__file__).resolve().parents[2]
SPECS = sorted([*ROOT.glob("stacks/*/spec.yaml"), *ROOT.glob("generator/spec/presets/*.yaml")])

EVERYTHING = """\
name: qwen2_5_7b_sft
workload:
  task: finetune
  model: qwen2.5-7b
  method: full
  precision: bf16
  optimizer: adamw
  sequence_length: 4096
  global_batch: 256
  tokens: 2B
  framework: hf_trainer
launch: {image: registry/image:tag, command: python train.py --config c.yaml}
data: {size: 180GiB, files: 1200000, samples: 1200000, source: oss://bucket/prefix}
checkpoint: {every: 20min, to: bucket, keep: 3}
interruptible: {on_demand_nodes: 1, alternates: 3}
goal: {deadline: 72h, budget: 5000 CNY, prefer: cost, exchange_rate: {USD: 7.1, date: 2026-11-01}}
where: {clouds: [alicloud], regions: [cn-beijing, cn-hangzhou], zones: [], compliance: none}
hardware: {gpus: [A10, A100-80GB], nodes: 1..4, gpus_per_node: 1..8, gpu_memory: ">=24GiB"}
runtime: instances
network: {egress: nat, access: none, ssh_from: [203.0.113.0/24]}
operate: {timezone: Asia/Shanghai, time_to_live: 7d, alarms_to: ops@example.com, snapshots: daily}
tags: {team: nlp}
"""


def fields(struct: type[msgspec.Struct] = SpecFields, prefix: str = "") -> list[tuple[str, Any]]:
    """Dotted path and type of every field of the spec, sections included."""
    found = []
    for key, (field, _) in field_types(struct).items():
        found.append((prefix + key, field))
        for section in field.structs:
            found += fields(section, f"{prefix}{key}.")
    return found


def test_the_spec_of_the_design_loads(tmp_path: Path) -> None:
    """Every field with its unit turned into a plain figure."""
    file = tmp_path / "spec.yaml"
    file.write_text(EVERYTHING, encoding="utf-8")
    spec = load_spec(file)
    assert spec.data is not None
    assert spec.data.size_gib == 180
    assert spec.workload.tokens == 2_000_000_000
    assert spec.checkpoint == CheckpointSection(every_minutes=20.0, to="bucket", keep=3)
    assert spec.interruptible == InterruptibleSection(on_demand_nodes=1, alternates=3)
    assert spec.goal.deadline_hours == 72
    assert spec.goal.budget == Money(amount=Decimal(5000), currency="CNY")
    assert spec.hardware.nodes == Range(low=1, high=4)
    assert spec.hardware.gpu_memory_gib == Range(low=24.0)
    assert spec.operate.time_to_live_hours == 168
    assert spec.tags == (("team", "nlp"),)
    assert spec.source.given("goal.deadline")
    assert not spec.source.given("goal.spot_ratio")
    assert spec.source.places["goal.deadline"].line == 16


@pytest.mark.parametrize("file", SPECS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_example_and_preset_loads(file: Path) -> None:
    """What we show to people is right."""
    assert load_spec(file).name


def test_the_forms_of_a_field_are_all_read(tmp_path: Path) -> None:
    """A model by name, config or size; interruptible as truth or section; checkpoint none; hours of a week."""
    values = {"workload.model": {"parameters": "7B", "layers": 32}, "interruptible": True, "checkpoint": "none"}
    spec = load(tmp_path, values)
    assert spec.interruptible is True
    assert spec.checkpoint == "none"
    timed = load(tmp_path, {"workload": {"task": "develop"}, "operate.hours": "Mon-Fri 09:00-19:00"})
    assert timed.operate.hours == Hours(days=(1, 2, 3, 4, 5), start="09:00", stop="19:00")


def test_all_faults_are_told_at_once_in_their_order(tmp_path: Path) -> None:
    """Form, names and contradictions in one go, each with line and column, source line and a hint."""
    file = tmp_path / "spec.yaml"
    file.write_text(
        "name: Qwen\n"
        "workload:\n"
        "  task: finetun\n"
        "  model: qwen2.5-7bb\n"
        "  sequence_length: 4k\n"
        "data: {size: 180}\n"
        "goal: {deadline: 0h, buget: 10 CNY}\n"
        "where: {clouds: [alicloud], regions: [cn-bejing]}\n"
        "hardware: {gpus: [A11]}\n"
        "runtime: kubernetes\n"
        "waivers: [{rule: nonsense}]\n"
        "name: two\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError) as caught:
        load_spec(file)
    told = [
        (p.where.line, p.where.column, p.message, p.hint or "") for p in caught.value.problems if p.where is not None
    ]
    wanted = [
        (1, 7, "'Qwen' is not an identifier", "lower-case"),
        (3, 9, "'finetun' is not one of", "did you mean 'finetune'?"),
        (4, 10, "unknown model 'qwen2.5-7bb'", "'qwen2.5-7b'"),
        (5, 20, "'k' is not a unit of a count", "did you mean '4K'?"),
        (6, 14, "'180' has no unit", "GiB"),
        (7, 18, "'0h' is out of range", "more than 0"),
        (7, 22, "unknown key 'buget' in goal", "did you mean 'budget'?"),
        (8, 39, "unknown region 'cn-bejing'", "'cn-beijing'"),
        (9, 19, "unknown GPU 'A11'", "did you mean"),
        (10, 10, "runtime: kubernetes is planned", ""),
        (11, 11, "waivers[0] has no 'resource'", ""),
        (11, 11, "waivers[0] has no 'reason'", ""),
        (11, 11, "waivers[0] has no 'owner'", ""),
        (11, 11, "waivers[0] has no 'expires'", ""),
        (11, 18, "'nonsense' is not a rule's id", ""),
        (12, 1, "'name' stands twice", "keep one"),
    ]
    assert [(line, column) for line, column, _, _ in told] == [(line, column) for line, column, _, _ in wanted]
    for (_, _, message, hint), (_, _, part, help_part) in zip(told, wanted, strict=True):
        assert part in message
        assert help_part in hint
    assert all(p.where is not None and p.where.text for p in caught.value.problems)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the spec is empty"),
        ("# nothing\n", "the spec is empty"),
        ("- name: x\n", "the spec is not a mapping"),
        ("just text\n", "the spec is not a mapping"),
        ("name: job\n", "the spec has no 'workload'"),
        ("workload: {task: develop}\n", "the spec has no 'name'"),
        ("name: job\nworkload: {}\n", "workload has no 'task'"),
        ("name: job\nworkload: develop\n", "workload: 'develop' is not a section with keys"),
        ("name: job\nworkload: {task: develop}\ngoal:\n", "goal is empty"),
        ("name: job\nworkload: {task: develop}\ngoal: [1]\n", "goal is a list"),
        ("name: job\nworkload: {task: develop}\nhardware: {gpus: A10}\n", "hardware.gpus: 'A10' is not a list"),
        ("name: job\nworkload: {task: develop}\nwhere: {regions: [[x]]}\n", "where.regions[0] is a list"),
        ("name: job\nworkload: {task: develop}\n? [a]\n: 1\n", "a key must be plain text"),
        ("name: job\nworkload: {task: develop}\ntags: {a: x, a: y}\n", "'tags.a' stands twice"),
        ("name: job\nworkload: {task: develop}\n<<: {a: 1}\n", "unknown key '<<'"),
    ],
)
def test_a_wrong_shape_is_named(tmp_path: Path, content: str, message: str) -> None:
    """Empty files, lists, missing keys and sections of the wrong kind."""
    file = tmp_path / "spec.yaml"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_spec(file)
    assert any(message in problem.message for problem in caught.value.problems)


INJECTIONS = (
    "x'; import os",
    "../../etc",
    "$(reboot)",
    "`reboot`",
    "/etc/passwd",
    'a"b',
    "a\nb",
    "{{ 7*7 }}",
    "a; rm -rf /",
    "\x1b[2J",
    "",
    " ",
    "x" * 5000,
)
TEXTS = [(path, field) for path, field in fields() if field.kind or field.words or field.item or field.pair]


@pytest.mark.parametrize("path", [path for path, _ in TEXTS])
def test_no_field_takes_code_a_path_or_a_shell_word(tmp_path: Path, path: str) -> None:
    """Each text field of the spec, alone, as an entry and as a key, refuses what could become code or a path."""
    field = dict(TEXTS)[path]
    plain_words = {"{{ 7*7 }}", "../../etc", "/etc/passwd"} if path == "launch.command" else set()
    for injection in set(INJECTIONS) - plain_words:
        values: Any = {injection: "x"} if field.pair else [injection] if field.item else injection
        assert problems_of(tmp_path, {path: values}), injection
        if field.pair:
            assert problems_of(tmp_path, {path: {"key": injection}}) or injection == ""


def test_a_command_of_plain_words_is_all_that_the_command_may_be(tmp_path: Path) -> None:
    """Quoted operators and the launch contract's variables pass; substitution and foreign variables do not."""
    for command in ("python train.py --data $TRAINFORM_DATA_DIR", "python -c 'print(1); print(2)'", "run --a=[1,2]"):
        spec = load(tmp_path, {"launch.command": command})
        assert spec.launch is not None
        assert spec.launch.command == command
    for command in (
        "python x.py && reboot",
        "python x.py > log",
        'echo "$(reboot)"',
        "echo $HOME",
        "echo 'open",
        "`x`",
    ):
        assert problems_of(tmp_path, {"launch.command": command})


@pytest.mark.parametrize("name", ["os", "platform", "queue", "class", "import", "select", "json"])
def test_a_name_shadows_no_module_and_is_no_keyword(tmp_path: Path, name: str) -> None:
    """The name becomes a folder and a resource's name; one that Python reserves is refused."""
    assert problems_of(tmp_path, {"name": name})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
@given(
    path=st.sampled_from([path for path, _ in fields()]),
    value=st.recursive(
        st.one_of(st.text(max_size=20), st.integers(), st.booleans(), st.floats(), st.none()),
        lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=5), inner, max_size=2)),
        max_leaves=4,
    ),
)
def test_no_value_makes_the_reader_stumble(tmp_path: Path, path: str, value: object) -> None:
    """Any value at any field either loads or is a list of problems with places."""
    for problem in problems_of(tmp_path, {path: value}):
        assert problem.where is not None
        assert problem.message.isprintable()
        assert (problem.hint or "").isprintable()


def test_the_hash_is_of_the_meaning_not_of_the_text(tmp_path: Path) -> None:
    """Comments, order and the way a quantity is written do not count; a value does; 64 hex digits."""
    first = load(tmp_path, {"goal.deadline": "72h", "data": {"size": "1GiB", "files": 1000}})
    second = load(tmp_path, {"data": {"files": "1K", "size": "1024MiB"}, "goal.deadline": "3d"})
    other = load(tmp_path, {"goal.deadline": "73h"})
    assert spec_sha256(first) == spec_sha256(second) != spec_sha256(other)
    assert len(spec_sha256(first)) == 64
    assert int(spec_sha256(first), 16)


def test_the_hash_does_not_know_where_the_file_lies(tmp_path: Path) -> None:
    """A stack that is moved keeps its hash."""
    there = tmp_path / "there"
    there.mkdir()
    assert spec_sha256(load(tmp_path, {})) == spec_sha256(load(there, {}))


def test_values_are_set_where_tests_say() -> None:
    """The helper of these tests edits a copy."""
    assert with_values({"goal.prefer": "time"})["goal"] == {"prefer": "time"}
    assert "goal" not in with_values({})
