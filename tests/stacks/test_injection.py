"""A value of the spec is never code, a path or a shell word, even where the spec's own checks were got round."""

import ast
import json
import re
import subprocess
from pathlib import Path

import msgspec
import pytest
import yaml

from generator.stack.blueprint import Alarms, Blueprint, Data, Launch
from tests.stacks.builds import DEVELOP, LORA, PRETRAIN, drawn, files_of, laid_out

HOSTILE = (
    "x'; import os; os.system('touch pwned') #",
    '"""\nimport os\n"""',
    "$(touch pwned)",
    "`touch pwned`",
    "a\nb: c",
    "../../etc/passwd",
    "{{ 7 * 7 }}",
    "%s{0}",
    "</script>|<img src=x onerror=alert(1)>",
    "\u202e\x00\x1b[31m",
)


def poisoned(blueprint: Blueprint, text: str) -> Blueprint:
    """The blueprint with a hostile text wherever the user's words go on to the files."""
    words = tuple(part for part in ("python", "train.py", "--note", text) if "\x00" not in part)
    return msgspec.structs.replace(
        blueprint,
        spec_file=text,
        job_tags=(("trainform-job", blueprint.name), ("team", text)),
        alarms=Alarms(email=text, group=None),
        launch=Launch(
            words=words, image=blueprint.launch.image, flags=blueprint.launch.flags, layout=blueprint.launch.layout
        ),
        data=Data(bucket=text, prefix=text, size_gib=1.0, place=blueprint.data.place),
    )


def skeleton(source: str) -> str:
    """The shape of a program: its syntax tree with every string constant blanked."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("base", [LORA, PRETRAIN, DEVELOP], ids=["lora", "pretrain", "develop"])
def test_programs_keep_their_shape(tmp_path: Path, base: dict, text: str) -> None:
    """Whatever the text, each Python file is the same program with other strings."""
    plain = drawn(tmp_path, {"data.source": "oss://data-sets/text", "operate.alarms_to": "ops@example.com"}, base)
    harmless, hostile = files_of(poisoned(plain, "harmless")), files_of(poisoned(plain, text))
    assert harmless.keys() == hostile.keys()
    for name in harmless:
        if name.endswith(".py"):
            assert skeleton(hostile[name]) == skeleton(harmless[name]), name


@pytest.mark.parametrize("text", HOSTILE)
def test_texts_arrive_as_they_are(tmp_path: Path, text: str) -> None:
    """A tag and a receiver are string constants with just this value."""
    files = files_of(poisoned(drawn(tmp_path, {"operate.alarms_to": "ops@example.com"}, LORA), text))
    constants = {node.value for node in ast.walk(ast.parse(files["settings.py"])) if isinstance(node, ast.Constant)}
    assert text in constants
    constants = {node.value for node in ast.walk(ast.parse(files["watch.py"])) if isinstance(node, ast.Constant)}
    assert text in constants


@pytest.mark.parametrize("text", HOSTILE)
def test_yaml_keeps_its_structure(tmp_path: Path, text: str) -> None:
    """Pulumi.yaml and cloud-init.yaml have the keys that they have, whatever the text."""
    plain = drawn(tmp_path, {"operate.alarms_to": "ops@example.com"}, LORA)
    harmless, hostile = files_of(poisoned(plain, "harmless")), files_of(poisoned(plain, text))
    for name in ("Pulumi.yaml", "cloud-init.yaml"):
        one, other = yaml.safe_load(harmless[name]), yaml.safe_load(hostile[name])
        assert one.keys() == other.keys()
    paths = [
        [row["path"] for row in yaml.safe_load(files["cloud-init.yaml"])["write_files"]]
        for files in (harmless, hostile)
    ]
    assert paths[0] == paths[1]


@pytest.mark.parametrize("text", [text for text in HOSTILE if "\x00" not in text])
def test_words_of_the_command_reach_the_program_unread(tmp_path: Path, text: str) -> None:
    """launch.sh hands a word on as it is: the shell expands nothing in it and runs nothing of it."""
    plain = drawn(tmp_path, {"launch.image": None, "launch.command": "python train.py"}, LORA)
    folder = laid_out(files_of(poisoned(plain, text)), tmp_path / "stack")
    script = (folder / "launch.sh").read_text(encoding="utf-8").replace("/etc/trainform", str(tmp_path))
    (tmp_path / "job.env").write_text("export GPUS=1 NNODES=1 MASTER_PORT=29500\n")
    (tmp_path / "node.env").write_text("export NODE_RANK=0 MASTER_ADDR=127.0.0.1\n")
    tools = tmp_path / "bin"
    tools.mkdir()
    fake = tools / "torchrun"
    fake.write_text("#!/usr/bin/env python3\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n")
    fake.chmod(0o755)
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env={"PATH": f"{tools}:/usr/bin:/bin"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    arguments = json.loads(done.stdout)
    assert arguments[arguments.index("train.py") + 1 : arguments.index("train.py") + 3] == ["--note", text]
    assert not (tmp_path / "pwned").exists()


@pytest.mark.parametrize("text", HOSTILE)
def test_pages_stay_pages(tmp_path: Path, text: str) -> None:
    """The Markdown pages get no heading, table, link, image or HTML from a value."""
    plain = drawn(tmp_path, {"operate.alarms_to": "ops@example.com"}, LORA)
    harmless, hostile = files_of(poisoned(plain, "harmless")), files_of(poisoned(plain, text))
    for name in ("README.md", "SELECTION.md"):
        assert len(harmless[name].splitlines()) == len(hostile[name].splitlines())
        assert "<img" not in re.sub(r"`[^`]*`", "", hostile[name]).replace("\\<img", "")
