"""No template, view or golden stack uses what the capability matrix says a cloud cannot do."""

import re
from pathlib import Path

import pytest

from generator.catalog.capabilities import capabilities
from generator.clouds import CLOUDS, cloud_ids
from generator.stack.templating import TEMPLATES
from tests.stacks.conftest import FOLDERS

# What a program would call to use a thing that is denied: classes of the cloud's SDK or module, and arguments of them.
USES = {
    ("alicloud", "managed_platform"): r"alicloud\.(pai|eflo|ehpc)\.",
    ("alicloud", "serverless_gpu"): r"alicloud\.fc\.|gpu_config",
    ("tencentcloud", "managed_platform"): r"tencentcloud\.(tione|hai|thpc|batch)\b",
    ("tencentcloud", "serverless_gpu"): r"tencentcloud\.scf\.",
    ("baiducloud", "parallel_file_system"): r"baiducloud\.(Pfs|RapidFs|Cfs)\w*",
    ("baiducloud", "gpu_alarms"): r"baiducloud\.(Bcm|Alarm|Monitor)\w*",
    ("baiducloud", "schedules"): r"baiducloud\.\w*(Timer|Schedule|Cron)\w*|auto_release_time|end_time",
    ("baiducloud", "managed_platform"): r"baiducloud\.(Bml|Aihc|Hpas)\w*",
    ("baiducloud", "serverless_gpu"): r"baiducloud\.(Cfc|Function)\w*",
}
# One use of each, so that no pattern is blind.
PLANTED = {
    ("alicloud", "managed_platform"): "alicloud.pai.Service(",
    ("alicloud", "serverless_gpu"): "alicloud.fc.V3Function(",
    ("tencentcloud", "managed_platform"): "tencentcloud.thpc.Workspaces(",
    ("tencentcloud", "serverless_gpu"): "tencentcloud.scf.Function(",
    ("baiducloud", "parallel_file_system"): "baiducloud.Cfs(",
    ("baiducloud", "gpu_alarms"): "baiducloud.AlarmPolicy(",
    ("baiducloud", "schedules"): "baiducloud.Schedule(",
    ("baiducloud", "managed_platform"): "baiducloud.HpasInstance(",
    ("baiducloud", "serverless_gpu"): "baiducloud.CfcFunction(",
}
DENIED = [(cloud, row.capability) for cloud in cloud_ids() for row in capabilities(cloud) if row.can == "no"]


def sources(cloud: str) -> list[Path]:
    """Templates and views of a cloud, and the programs of its golden stacks; not the module that stands for an SDK."""
    files = [*(TEMPLATES / cloud).glob("*.jinja"), *(CLOUDS / cloud / "view").glob("*.py")]
    files += [path for folder in FOLDERS if folder.name == cloud for path in folder.glob("*.py")]
    return [path for path in files if path.name != "baiducloud.py"]


def test_every_no_is_told_apart() -> None:
    """Each `no` of the matrix has the words that would use it here, and no other capability has."""
    assert set(USES) == set(DENIED)
    assert set(PLANTED) == set(DENIED)


@pytest.mark.parametrize(("cloud", "capability"), DENIED)
def test_what_is_denied_is_not_used(cloud: str, capability: str) -> None:
    """Nothing that writes or is a stack calls for it; the pattern does find a planted use."""
    pattern = re.compile(USES[cloud, capability])
    assert pattern.search(PLANTED[cloud, capability])
    files = sources(cloud)
    assert len(files) > 20
    assert [path.name for path in files if pattern.search(path.read_text(encoding="utf-8"))] == []
