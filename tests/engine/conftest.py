"""The engine of these tests, made once."""

import os
import shutil
from pathlib import Path

import pytest

from tests.engine.install import NoEngineError, find_cli
from tests.engine.live_stack import LiveStack, home
from tests.engine.summary import LEFT_OUT

REQUIRED = "TRAINFORM_REQUIRE_ENGINE"  # set by .ci/run: without an engine the tests then fail


@pytest.fixture(scope="session")
def cli() -> Path:
    """The Pulumi CLI; without one the test is skipped, or fails where the engine is required."""
    try:
        return find_cli()
    except NoEngineError as error:
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(f"{REQUIRED}=1, but {error}")
        pytest.skip(f"{LEFT_OUT} {error}")


@pytest.fixture(scope="session")
def pulumi_home(cli: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PULUMI_HOME whose plugins are the pretend clouds."""
    return home(tmp_path_factory.mktemp("pulumi"), cli)


@pytest.fixture
def live_stack(cli: Path, pulumi_home: Path, tmp_path: Path):
    """Makes a stack of a program's folder on the real engine, with a pretend cloud of its own."""
    made: list[Path] = []

    def make(program: Path) -> LiveStack:
        folder = tmp_path / f"live-{len(made)}"
        folder.mkdir()
        made.append(folder)
        return LiveStack(cli, pulumi_home, program, folder)

    yield make
    for folder in made:
        shutil.rmtree(folder)
