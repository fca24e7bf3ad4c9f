"""A stack's README leads from its folder to `pulumi up`, and from there to nothing left."""

import re
from pathlib import Path

import pytest

from generator.clouds import find_cloud
from tests.stacks.conftest import FOLDERS, ROOT, state_of

# What each cloud's provider reads its keys from (the SDKs' provider arguments; Baidu: the vendor's provider).
KEYS = {
    "alicloud": ("ALICLOUD_PROFILE",),
    "tencentcloud": ("TENCENTCLOUD_SECRET_ID", "TENCENTCLOUD_SECRET_KEY"),
    "huaweicloud": ("HW_ACCESS_KEY", "HW_SECRET_KEY"),
    "baiducloud": ("BAIDUCLOUD_ACCESS_KEY", "BAIDUCLOUD_SECRET_KEY"),
}


@pytest.fixture(params=FOLDERS, ids=lambda path: str(path.relative_to(ROOT / "stacks")))
def folder(request: pytest.FixtureRequest) -> Path:
    """One golden stack after the other."""
    path: Path = request.param
    return path


def readme(folder: Path) -> str:
    return (folder / "README.md").read_text(encoding="utf-8")


def test_it_leads_to_up(folder: Path) -> None:
    """Installation, state, passphrase, keys and `pulumi up` are named."""
    text = readme(folder)
    for word in ("pip install -r requirements.txt", "pulumi login", "PULUMI_CONFIG_PASSPHRASE", "    pulumi up\n"):
        assert word in text
    assert [key for key in KEYS[folder.name] if key not in text] == []


def test_a_plugin_that_pulumi_does_not_find_is_named(folder: Path) -> None:
    """Where a person installs the plugin, the line has the version of requirements.txt and the cloud's server."""
    cloud = find_cloud(folder.name)
    lines = re.findall(r"^    pulumi plugin install resource (\S+) (\S+) --server (\S+)$", readme(folder), re.MULTILINE)
    if not cloud.plugin_server:
        assert lines == []
        return
    pins = dict(line.split("==") for line in (folder / "requirements.txt").read_text().splitlines() if "==" in line)
    assert lines == [(cloud.id, pins[f"pulumi-{cloud.id}"], cloud.plugin_server)]


@pytest.mark.slow
def test_it_says_what_stays(folder: Path) -> None:
    """Every protected resource has the line that lets go of it, and nothing else has one."""
    lines = re.findall(r"pulumi state unprotect .*'urn:\.\*(\S+)::(\S+)\$'", readme(folder))
    kept = {(row.type, row.name) for row in state_of(folder).resources if row.protect}
    assert set(lines) == kept
    assert len(lines) == len(kept)
