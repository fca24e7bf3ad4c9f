"""What `trainform preview --engine pulumi` says where the real engine cannot preview; the state is never touched."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import trainform
from generator.errors import InputError
from tests.engine.live_stack import ROOT, STACK, LiveStack, home

pytestmark = pytest.mark.slow

PROGRAM = ROOT / "tests" / "data" / "engine_stack" / "alicloud"


@pytest.fixture(scope="module")
def stack(cli: Path, pulumi_home: Path, tmp_path_factory: pytest.TempPathFactory) -> LiveStack:
    """A stack with a secret in its config, so that its passphrase is needed."""
    made = LiveStack(cli, pulumi_home, PROGRAM, tmp_path_factory.mktemp("bad_input"))
    assert made.init().code == 0
    assert made.run("config", "set", "--secret", "token", "only a test", "--stack", STACK).code == 0
    return made


@pytest.fixture
def said(stack: LiveStack, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Runs the command as a person would, with other settings; the backend is the same, byte for byte, afterwards."""
    backend = stack.folder.parent / "backend"
    before = snapshot(backend)

    def run(**settings: str | None) -> str:
        for name, value in (stack.environment | settings).items():
            if value is None:
                monkeypatch.delenv(name, raising=False)
            else:
                monkeypatch.setenv(name, value)
        words = ["preview", str(stack.folder), "--engine", "pulumi", "--stack", STACK]
        result = CliRunner().invoke(trainform, words)
        if isinstance(result.exception, InputError):
            return "\n".join(f"{problem.message} / {problem.hint}" for problem in result.exception.problems)
        assert result.exit_code == 0, result.exception
        return result.output

    yield run
    assert snapshot(backend) == before


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_with_all_that_it_needs_it_previews(said) -> None:
    """The engine's own preview is printed like the embedded one."""
    assert "alicloud:ecs/instance:Instance  " in said()


def test_no_pulumi(said, tmp_path: Path) -> None:
    """Without the program the way out is named."""
    assert "there is no `pulumi` on PATH / install Pulumi" in said(PATH=str(tmp_path))


def test_an_old_pulumi(said, tmp_path: Path) -> None:
    """A version older than the SDKs ask for is refused by its number."""
    old = tmp_path / "pulumi"
    old.write_text("#!/bin/sh\necho v3.100.0\n", encoding="utf-8")
    old.chmod(0o755)
    assert "pulumi 3.100.0 is older than 3.231" in said(PATH=f"{tmp_path}:/usr/bin:/bin").replace("v3.100", "3.100")


def test_a_plugin_of_another_version(said, cli: Path, tmp_path: Path) -> None:
    """The plugin that the SDK asks for is named with the line that installs it; another version does not serve."""
    other = home(tmp_path / "home", cli)
    plugins = other / "plugins"
    (plugins / "resource-alicloud-v4.0.0").rename(plugins / "resource-alicloud-v3.0.0")
    told = said(PULUMI_HOME=str(other))
    assert "the plugin alicloud 4.0.0, which this stack's SDK asks for, is not installed" in told
    assert "pulumi plugin install resource alicloud 4.0.0" in told


def test_a_missing_passphrase_and_a_wrong_one(said) -> None:
    """Neither is asked for at a prompt; the variable is named."""
    assert "none is set / export PULUMI_CONFIG_PASSPHRASE_FILE" in said(PULUMI_CONFIG_PASSPHRASE=None)
    assert "not the one that this stack was made with" in said(PULUMI_CONFIG_PASSPHRASE="another")


def test_a_stack_that_there_is_not(stack: LiveStack, said) -> None:
    """Its name and how it is made."""
    moved = stack.folder.parent / "elsewhere"
    moved.mkdir()
    assert "there is no stack 'dev' in the state backend / pulumi stack init dev" in said(
        PULUMI_BACKEND_URL=moved.as_uri()
    )
    shutil.rmtree(moved)


def test_a_locked_state_is_read_and_stays_locked(stack: LiveStack, said) -> None:
    """Somebody else's lock keeps `up` away; a preview only reads, and leaves the lock where it is."""
    lock = stack.folder.parent / "backend" / ".pulumi" / "locks" / "organization" / "engine_stack" / STACK / "a.json"
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_text('{"pid": 1, "username": "a", "hostname": "b", "timestamp": "2026-01-01T00:00:00Z"}')
    try:
        told = said()
        assert lock.is_file()
        up = stack.up()
        assert up.code != 0
        assert "currently locked" in up.said
        assert "alicloud:ecs/instance:Instance" in told
    finally:
        lock.unlink()
