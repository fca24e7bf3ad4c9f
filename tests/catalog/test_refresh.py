"""The refresh of a catalog from its cloud's API: whole, patient, silent about secrets, and all or nothing."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from generator.catalog import calls
from generator.catalog.folders import TABLES
from generator.clouds import CLOUDS
from tests.catalog import alicloud_api as api
from tests.catalog.recorded_api import DAY, Answer, Request, run, serve

pytest.importorskip("alibabacloud_ecs20140526")
pytestmark = pytest.mark.slow  # they need the extra `refresh`, whose SDKs take seconds to import
SECRETS = tuple(api.KEYS.values())


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[float]]:
    """Planted credentials, no machine's own ones, and waits that are counted instead of waited."""
    waits: list[float] = []
    for name, value in (*api.KEYS.items(), ("ALIBABA_CLOUD_ECS_METADATA_DISABLED", "true"), ("HOME", str(tmp_path))):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(calls.time, "sleep", waits.append)
    return waits


def refresh(
    folder: Path, *args: str, answer: Callable[[Request], Answer] = api.answer, region: str = "cn-beijing"
) -> tuple[int, str, str]:
    with serve(answer) as url:
        base = ("refresh", "--cloud", "alicloud", "--region", region, "--into", str(folder), "--today", DAY)
        return run(*base, "--endpoint", url, *args)


def tables(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((folder / "alicloud").glob("*"))}


def rows(folder: Path, table: str, word: str) -> list[str]:
    lines = (folder / "alicloud" / f"{table}.csv").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if word in line]


@pytest.fixture(scope="module")
def refreshed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, list[str]]:
    """A folder after one whole refresh, what was printed, and the calls made."""
    folder, made = tmp_path_factory.mktemp("catalog"), []
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (*api.KEYS.items(), ("ALIBABA_CLOUD_ECS_METADATA_DISABLED", "true")):
            patch.setenv(name, value)

        def answer(request: Request) -> Answer:
            made.append(f"{api.action(request)} {request.query.get('NextToken', '')}".strip())
            return api.answer(request)

        code, out, err = refresh(folder, answer=answer)
    assert code == 0, err
    return folder, out, made


def test_every_page_is_read(refreshed: tuple[Path, str, list[str]]) -> None:
    """The list of types is followed by its token to the last page, and no page is read twice."""
    made = [one for one in refreshed[2] if one.startswith("DescribeInstanceTypes")]
    assert made == ["DescribeInstanceTypes", "DescribeInstanceTypes page-2", "DescribeInstanceTypes page-3"]


def test_prices_are_those_of_the_api(refreshed: tuple[Path, str, list[str]]) -> None:
    """The list price of the machine alone, per zone, with the call as its source and the day as its date."""
    assert rows(refreshed[0], "offers", "cn-beijing-h,ecs.gn7i-c8g1.2xlarge") == [
        f"cn-beijing,cn-beijing-h,ecs.gn7i-c8g1.2xlarge,9.9,CNY,{DAY},DescribePrice"
    ]
    assert "9.5326 -> 9.9 CNY/hour (+3.9%)" in refreshed[1]


def test_a_type_without_a_price_keeps_the_old_one(refreshed: tuple[Path, str, list[str]]) -> None:
    """Where the API has no price the table's stays, with its own source and date; sold out for now is still sold."""
    assert rows(refreshed[0], "offers", "cn-beijing,cn-beijing-h,ecs.gn7i-c16g1.4xlarge") == [
        "cn-beijing,cn-beijing-h,ecs.gn7i-c16g1.4xlarge,10.0934,CNY,2025-09,P-2025"
    ]


def test_what_is_gone_is_told(refreshed: tuple[Path, str, list[str]]) -> None:
    """A type that the region sells no more leaves its offers, stays as a type, and is named in what is shown."""
    folder, out, _ = refreshed
    (gone,) = re.findall(r"gone from a region \(\d+\)\n  cn-beijing: (.*)", out)
    assert "ecs.gn7i-c32g1.8xlarge" in gone.split(", ")
    assert rows(folder, "offers", "cn-beijing,,ecs.gn7i-c32g1.8xlarge") == []
    assert rows(folder, "instance_types", "ecs.gn7i-c32g1.8xlarge")


def test_other_regions_stay(refreshed: tuple[Path, str, list[str]]) -> None:
    """The offers of a region that was not read are those of before."""
    shipped = (CLOUDS / "alicloud" / "offers.csv").read_text(encoding="utf-8").splitlines()
    assert rows(refreshed[0], "offers", "cn-hangzhou,") == [line for line in shipped if "cn-hangzhou," in line]


def test_a_new_type_of_a_described_family_takes_its_card(refreshed: tuple[Path, str, list[str]]) -> None:
    """It gets what holds for the whole family; what only a page tells of it stays empty."""
    assert rows(refreshed[0], "instance_types", "ecs.gn7i-c64g1.16xlarge") == [
        f"ecs.gn7i-c64g1.16xlarge,ecs.gn7i,listed,64,376,1,no,24,24,22.198242,,32,,,,DescribeInstanceTypes,{DAY}"
    ]


def test_a_new_family_is_a_stated_unknown(refreshed: tuple[Path, str, list[str]]) -> None:
    """Its card is unknown and says so, its RDMA and disks are empty, and it cannot be ordered."""
    folder, out, _ = refreshed
    (card,) = rows(folder, "card_families", "ecs.gn99")
    assert card.startswith("ecs.gn99,,the API of 2026-12-01 names it 'NVIDIA X900'")
    (family,) = rows(folder, "families", "ecs.gn99")
    assert family.startswith("ecs.gn99,no,x86_64,,,,,,no,,,,DescribeInstanceTypes,")
    assert rows(folder, "instance_types", "ecs.gn99")[0].split(",")[2] == "listed_only"
    assert rows(folder, "statuses", "listed_only,no,")
    assert "cannot be chosen yet (1)\n  ecs.gn99\n" in out


def test_other_new_types_are_only_named(refreshed: tuple[Path, str, list[str]]) -> None:
    """A type without accelerators of a family that is not described stands among the others, with its regions."""
    assert rows(refreshed[0], "other_types", "ecs.u9.large") == [
        f"ecs.u9.large,cn-beijing,DescribeAvailableResource,{DAY}"
    ]


def test_a_figure_that_differs_is_told(refreshed: tuple[Path, str, list[str]]) -> None:
    """The API's memory takes the place of the table's, and the change is shown with both."""
    folder, out, _ = refreshed
    assert "ecs.gn7i-c16g1.4xlarge: ram_gib 60 -> 64" in out
    (row,) = rows(folder, "instance_types", "ecs.gn7i-c16g1.4xlarge,")
    assert row.split(",")[4] == "64"
    assert row.endswith(f"D-EN L-2026 DescribeInstanceTypes,{DAY}")


def test_the_refreshed_folder_is_the_catalog(refreshed: tuple[Path, str, list[str]]) -> None:
    """TRAINFORM_CATALOG makes every command read it; its lint is clean; clouds it lacks are the package's."""
    env = {**os.environ, "TRAINFORM_CATALOG": str(refreshed[0])}
    for args in (("lint",), ("list", "--cloud", "alicloud", "--region", "cn-beijing", "--gpu", "A10")):
        done = subprocess.run(
            [sys.executable, "-m", "generator", "catalog", *args], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout
    assert "9.9 CNY/hour (2026-12-01, DescribePrice)" in done.stdout


def test_a_catalog_folder_that_is_none_is_told(tmp_path: Path) -> None:
    """A wrong TRAINFORM_CATALOG is an error with what writes it, not the package's tables in silence."""
    env = {**os.environ, "TRAINFORM_CATALOG": str(tmp_path / "nowhere")}
    args = [sys.executable, "-m", "generator", "catalog", "list"]
    done = subprocess.run(args, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, "nowhere', which is no folder" in done.stderr) == (2, True)


def test_tables_without_a_change_keep_their_bytes(refreshed: tuple[Path, str, list[str]]) -> None:
    """A folder of refreshed tables is whole: what no API tells is copied as it stands."""
    folder = refreshed[0] / "alicloud"
    assert {path.stem for path in folder.glob("*.csv")} == {
        name for name in TABLES if (CLOUDS / "alicloud" / f"{name}.csv").exists()
    }
    for name in ("disks", "bucket_classes", "storage_prices", "lint_exceptions"):
        assert (folder / f"{name}.csv").read_bytes() == (CLOUDS / "alicloud" / f"{name}.csv").read_bytes()


def test_a_second_refresh_changes_nothing(refreshed: tuple[Path, str, list[str]], tmp_path: Path) -> None:
    """The same answers on the same day give the same bytes, and a dry run then exits 0."""
    import shutil

    shutil.copytree(refreshed[0], tmp_path, dirs_exist_ok=True)
    code, out, _ = refresh(tmp_path, "--dry-run")
    assert (code, out.splitlines()[0]) == (0, "nothing is new, gone or changed")
    assert refresh(tmp_path)[0] == 0
    assert tables(tmp_path) == tables(refreshed[0])


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    """It shows the changes, exits 1 as `generate --check` does, and leaves no folder behind."""
    code, out, _ = refresh(tmp_path / "new", "--dry-run", "--format", "json")
    shown = json.loads(out)
    assert (code, shown["written"], (tmp_path / "new").exists()) == (1, False, False)
    assert shown["new_families"] == ["ecs.gn99"]
    assert {"region": "cn-beijing", "instance_type": "ecs.gn7i-c32g1.8xlarge"} in shown["gone_offers"]


FAILURES = {
    "page 3": api.fails("DescribeInstanceTypes", "InternalError", 500, first=2),
    "zones": api.fails("DescribeAvailableResource", "ServiceUnavailable", 503),
    "a price": api.fails("DescribePrice", "Forbidden.RAM", 403, first=2),
}


@pytest.mark.parametrize("place", FAILURES)
def test_a_failure_on_the_way_changes_nothing(
    place: str, tmp_path: Path, refreshed: tuple[Path, str, list[str]]
) -> None:
    """Whatever call fails, the old tables are byte for byte what they were, and the exit code is 2."""
    import shutil

    shutil.copytree(refreshed[0], tmp_path, dirs_exist_ok=True)
    before = tables(tmp_path)
    code, _, err = refresh(tmp_path, answer=FAILURES[place])
    assert (code, tables(tmp_path)) == (2, before)
    assert "nothing was changed" in err
    assert [path.name for path in tmp_path.iterdir()] == ["alicloud"]


def test_a_kill_changes_nothing(tmp_path: Path, refreshed: tuple[Path, str, list[str]]) -> None:
    """A process killed while it reads leaves the old tables and nothing beside them."""
    import shutil
    import threading

    shutil.copytree(refreshed[0], tmp_path / "own")
    before, reached, hold = tables(tmp_path / "own"), threading.Event(), threading.Event()

    def answer(request: Request) -> Answer:
        if request.query.get("NextToken") == "page-3":
            reached.set()
            hold.wait(30)
        return api.answer(request)

    with serve(answer) as url:
        args = ("--cloud", "alicloud", "--region", "cn-beijing", "--into", str(tmp_path / "own"), "--endpoint", url)
        process = subprocess.Popen(
            [sys.executable, "-m", "generator", "catalog", "refresh", *args],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        assert reached.wait(60)
        process.send_signal(signal.SIGKILL)
        process.wait()
        hold.set()
    assert tables(tmp_path / "own") == before
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["alicloud"]


@pytest.mark.parametrize("code", ["Throttling", "Throttling.User", "Throttling.Api"])
def test_throttling_is_waited_out(code: str, tmp_path: Path, environment: list[float]) -> None:
    """A throttled call is made again after a growing, random wait, and the refresh is then as any other."""
    answer = api.fails("DescribeInstanceTypes", code, 400, first=1, times=3)
    assert refresh(tmp_path, answer=answer)[0] == 0
    assert len(environment) == 3
    for attempt, waited_s in enumerate(environment):
        assert 0.5 * 2**attempt <= waited_s <= 2**attempt


def test_throttling_without_end_is_given_up(tmp_path: Path, environment: list[float]) -> None:
    """After the last try the message names the call, the cloud's code and what to do."""
    code, _, err = refresh(tmp_path, answer=api.fails("DescribePrice", "Throttling.User", 400))
    assert code == 2
    assert len(environment) == calls.ATTEMPTS - 1
    assert sum(environment) <= calls.ATTEMPTS * calls.LONGEST_WAIT_S
    assert "DescribePrice: the cloud still throttles after 6 tries (Throttling.User, request 00000000" in err
    assert "--region" in err


@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("Forbidden.RAM", 403, "the cloud denies access (Forbidden.RAM"),
        ("InvalidAccessKeyId.NotFound", 404, "there are no valid credentials"),
        ("SignatureDoesNotMatch", 400, "ALIBABA_CLOUD_ACCESS_KEY_ID"),
        ("InternalError", 500, "the cloud refuses the call (InternalError"),
    ],
)
def test_a_refused_call_is_told(code: str, status: int, told: str, tmp_path: Path) -> None:
    """Each kind of refusal has its message, which never quotes the cloud's own: that one may hold the key."""
    exit_code, out, err = refresh(tmp_path, answer=api.fails("DescribeInstanceTypes", code, status))
    assert exit_code == 2
    assert told in err
    assert not [secret for secret in SECRETS if secret in out + err]


def test_no_secret_is_written_or_shown(tmp_path: Path) -> None:
    """Neither the files nor what is printed hold the planted key id or secret."""
    _, out, err = refresh(tmp_path)
    written = b"".join(tables(tmp_path).values()).decode()
    assert not [secret for secret in SECRETS if secret in written + out + err]


def test_without_credentials_the_environment_is_named(tmp_path: Path) -> None:
    """No credentials at all: the message says which variables the SDK reads, and no call is made."""
    asked: list[Request] = []
    env = {name: value for name, value in os.environ.items() if name not in api.KEYS}
    with serve(lambda request: (asked.append(request), api.answer(request))[1]) as url:
        args = ("--cloud", "alicloud", "--region", "cn-beijing", "--into", str(tmp_path), "--endpoint", url)
        command = [sys.executable, "-m", "generator", "catalog", "refresh", *args]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, asked) == (2, [])
    assert "there are no valid credentials" in done.stderr
    assert "ALIBABA_CLOUD_ACCESS_KEY_ID" in done.stderr


def test_an_api_out_of_reach_is_told(tmp_path: Path) -> None:
    """A closed port is a message, not a traceback."""
    args = ("--cloud", "alicloud", "--region", "cn-beijing", "--into", str(tmp_path))
    code, _, err = run("refresh", *args, "--endpoint", "http://127.0.0.1:9")
    assert code == 2
    assert "DescribeInstanceTypes: the cloud's API cannot be reached" in err


def test_the_lint_refuses(tmp_path: Path, refreshed: tuple[Path, str, list[str]]) -> None:
    """Prices that break an invariant are refused with the invariant, and the old tables stay."""
    import shutil

    shutil.copytree(refreshed[0], tmp_path, dirs_exist_ok=True)
    before = tables(tmp_path)

    def answer(request: Request) -> Answer:
        status, body = api.answer(request)
        if request.query.get("InstanceType") == "ecs.gn7i-c64g1.16xlarge":
            body["PriceInfo"]["Price"]["DetailInfos"]["DetailInfo"][0]["OriginalPrice"] = 99.0
        return status, body

    code, _, err = refresh(tmp_path, answer=answer)
    assert (code, tables(tmp_path)) == (2, before)
    assert "band: ecs.gn7i-c64g1.16xlarge in cn-beijing: 99.00 a GPU" in err
    assert "lint_exceptions.csv" in err


def test_a_region_that_lists_nothing_is_refused(tmp_path: Path) -> None:
    """An empty answer does not empty the catalog."""

    def answer(request: Request) -> Answer:
        empty = {"RequestId": "1", "AvailableZones": {"AvailableZone": []}}
        return (200, empty) if api.action(request) == "DescribeAvailableResource" else api.answer(request)

    code, _, err = refresh(tmp_path, answer=answer)
    assert code == 2
    assert "cn-beijing: the API lists no type for sale; nothing was changed" in err


def test_a_wrong_region_gets_the_nearest(tmp_path: Path) -> None:
    """A region that the catalog lacks is refused before any call."""
    code, _, err = refresh(tmp_path, region="cn-bejing")
    assert code == 2
    assert "'cn-bejing' is not a region of alicloud" in err
    assert "cn-beijing" in err


def test_a_wrong_cloud_gets_the_nearest(tmp_path: Path) -> None:
    """A cloud that is none is refused with the one that was meant."""
    code, _, err = run("refresh", "--cloud", "alcloud", "--into", str(tmp_path))
    assert code == 2
    assert "'alcloud' is not a cloud" in err
    assert "alicloud" in err


def test_a_folder_that_cannot_be_written_is_told_first(tmp_path: Path) -> None:
    """A file where the folder should be is refused before any call."""
    (tmp_path / "file").write_text("")
    code, _, err = run("refresh", "--cloud", "alicloud", "--into", str(tmp_path / "file"))
    assert code == 2
    assert "is no folder" in err


def test_the_package_tables_are_refreshed_in_place(tmp_path: Path) -> None:
    """Without --into an installed package that can be written has its own tables refreshed, and its code stays."""
    import shutil

    site = tmp_path / "site"
    shutil.copytree(CLOUDS.parent, site / "generator", ignore=shutil.ignore_patterns("__pycache__", "imports"))
    code_before = {path.name: path.read_bytes() for path in (site / "generator/clouds/alicloud").glob("*.py")}
    with serve(api.answer) as url:
        args = ("--cloud", "alicloud", "--region", "cn-beijing", "--endpoint", url)
        done = subprocess.run(
            [sys.executable, "-m", "generator", "catalog", "refresh", *args],
            cwd=site, env={**os.environ, "PYTHONPATH": str(site)}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"written to {site}" in done.stderr
    assert "DescribePrice" in (site / "generator/clouds/alicloud/offers.csv").read_text(encoding="utf-8")
    assert {p.name: p.read_bytes() for p in (site / "generator/clouds/alicloud").glob("*.py")} == code_before


def test_without_the_sdk_the_command_exits_2(tmp_path: Path) -> None:
    """The message names the extra, and no traceback is shown."""
    code = (
        "import importlib.util\nfrom generator.cli import main\nfound = importlib.util.find_spec\n"
        "importlib.util.find_spec = lambda name, *a: None if name.startswith('alibaba') else found(name, *a)\n"
        f"main(['catalog', 'refresh', '--cloud', 'alicloud', '--into', {str(tmp_path)!r}])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert "pip install 'trainform[refresh]'" in done.stderr
    assert "Traceback" not in done.stderr
