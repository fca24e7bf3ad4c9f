"""What a node is sent is a cloud configuration of the modules that we use, and its scripts stop at the first error."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from tests.scripts.node import user_data
from tests.stacks.conftest import FOLDERS, ROOT

# The modules write_files, runcmd and ssh of cloud-init's reference, as far as we use them; nothing else is let through.
SCHEMA: dict[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["write_files", "runcmd", "ssh_pwauth"],
    "properties": {
        "ssh_pwauth": {"const": False},
        "runcmd": {
            "type": "array",
            "minItems": 1,
            "items": {"type": "array", "minItems": 1, "items": {"type": "string"}},
        },
        "write_files": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["path", "content"],
                "properties": {
                    "path": {"type": "string", "pattern": "^/(etc|usr/local|root)/[A-Za-z0-9._/-]+$"},
                    "content": {"type": "string", "minLength": 1},
                    "permissions": {"const": "0755"},
                },
            },
        },
    },
}


def configuration(folder: Path) -> str:
    """The cloud configuration of a stack, as its nodes get it."""
    text = user_data(folder).decode()
    assert text.startswith("#cloud-config\n")
    return text


@pytest.fixture(params=FOLDERS, ids=lambda path: str(path.relative_to(ROOT / "stacks")))
def sent(request: pytest.FixtureRequest) -> str:
    """The cloud configuration of one golden stack after the other."""
    return configuration(request.param)


@pytest.mark.slow
def test_it_is_a_cloud_configuration(sent: str, tmp_path: Path) -> None:
    """The keys are those of the modules that we use; where cloud-init is installed, its own schema agrees."""
    assert sent.startswith("#cloud-config\n")
    jsonschema.validate(yaml.safe_load(sent), SCHEMA)
    if shutil.which("cloud-init"):
        (tmp_path / "user-data").write_text(sent)
        done = subprocess.run(["cloud-init", "schema", "--config-file", tmp_path / "user-data"], capture_output=True)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_files_are_written_once_and_scripts_are_strict(sent: str) -> None:
    """No path is written twice; what has a first line runs, stops at the first error, and is what bash can read."""
    files = yaml.safe_load(sent)["write_files"]
    paths = [file["path"] for file in files]
    assert len(set(paths)) == len(paths)
    for file in files:
        runs = file["content"].startswith("#!")
        assert runs == ("permissions" in file), file["path"]
        if runs:
            assert file["content"].startswith("#!/bin/bash\n"), file["path"]
            assert "\nset -euo pipefail\n" in file["content"], file["path"]
            done = subprocess.run(["bash", "-n"], input=file["content"], text=True, capture_output=True)
            assert done.stderr == "", file["path"]
