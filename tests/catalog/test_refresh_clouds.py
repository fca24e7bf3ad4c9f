"""Each cloud's API is read as its documents tell: zones, pages, prices in their unit, and its own error codes."""

import logging
from pathlib import Path

import pytest

from generator.catalog import calls
from generator.clouds.huaweicloud import refresh as huawei
from tests.catalog.other_apis import APIS, Api, huaweicloud, tencentcloud
from tests.catalog.recorded_api import DAY, Answer, Request, run, serve

for module in ("tencentcloud", "huaweicloudsdkecs", "huaweicloudsdkbss", "baidubce"):
    pytest.importorskip(module)

# The SDKs' own code uses what newer Pythons deprecate.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")]


@pytest.fixture(params=APIS, ids=lambda api: api.cloud)
def api(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Api:
    """The cloud's API, with planted credentials, waits that are not waited, and pages of two flavors."""
    chosen: Api = request.param
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name, value in chosen.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(calls.time, "sleep", lambda _: None)
    monkeypatch.setattr(huawei, "PAGE", 2)
    return chosen


def refresh(api: Api, folder: Path, answer=None, options=None) -> tuple[int, str, str]:
    with serve(answer or api.answer) as url:
        more = api.options if options is None else options
        base = ("--cloud", api.cloud, "--region", api.region, "--into", str(folder), "--today", DAY)
        return run("refresh", *base, "--endpoint", url, *more)


def rows(api: Api, folder: Path, table: str) -> list[str]:
    return (folder / api.cloud / f"{table}.csv").read_text(encoding="utf-8").splitlines()


def test_what_the_api_tells_stands_in_the_tables(api: Api, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Offers by zone with today's price by the hour, new types by family, and no key in files, output or logs."""
    caplog.set_level(logging.DEBUG)
    code, out, err = refresh(api, tmp_path)
    assert code == 0, err
    offers = rows(api, tmp_path, "offers")
    assert [row for row in api.offers if row not in offers] == []
    types, others = rows(api, tmp_path, "instance_types"), rows(api, tmp_path, "other_types")
    assert [begin for begin in api.types if not any(row.startswith(begin) for row in types)] == []
    assert [begin for begin in api.others if not any(row.startswith(begin) for row in others)] == []
    written = "".join(path.read_text(encoding="utf-8") for path in (tmp_path / api.cloud).glob("*"))
    assert "planted-key" not in written + out + err + caplog.text


def test_what_is_not_sold_is_gone(api: Api, tmp_path: Path) -> None:
    """Only what the API lists for sale by use is offered in the region that was read."""
    assert refresh(api, tmp_path)[0] == 0
    here = [row for row in rows(api, tmp_path, "offers") if row.startswith(f"{api.region},")]
    for name in ("c6.3xlarge.4", "bcc.g5.c1m4", "GN7.20XLARGE320"):
        assert not [row for row in here if f",{name}," in row]
    assert not [row for row in here if "ap-southeast-4c" in row]


def test_throttling_is_waited_out_then_given_up(api: Api, tmp_path: Path) -> None:
    """The cloud's own code of throttling is one to wait for; without end it is named, and nothing is written."""
    seen: list[Request] = []

    def at_first(request: Request) -> Answer:
        seen.append(request)
        return api.error(api.throttled) if len(seen) < 3 else api.answer(request)

    assert refresh(api, tmp_path / "one", at_first)[0] == 0
    code, _, err = refresh(api, tmp_path / "two", lambda _: api.error(api.throttled))
    assert code == 2
    assert f"the cloud still throttles after {calls.ATTEMPTS} tries ({api.shown}" in err
    assert not (tmp_path / "two").exists()


@pytest.mark.parametrize("kind", ["denied", "keys"])
def test_a_refusal_is_told_without_a_key(api: Api, kind: str, tmp_path: Path) -> None:
    """Missing rights and wrong keys have each their message; the cloud's own, which quotes keys, is not shown."""
    code, out, err = refresh(api, tmp_path, lambda _: api.error(getattr(api, kind)))
    assert code == 2
    assert {"denied": "the cloud denies access", "keys": "there are no valid credentials"}[kind] in err
    assert "planted" not in out + err


def test_without_credentials_the_variables_are_named(api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No keys in the environment: the message names the variables."""
    for name in api.environment:
        monkeypatch.delenv(name)
    if api.cloud == "huaweicloud":  # the SDK's chain ends at the machine's own metadata, which a test must not ask
        monkeypatch.setenv("HUAWEICLOUD_SDK_AK", "")
        monkeypatch.setenv("HUAWEICLOUD_SDK_SK", "")
    code, _, err = refresh(api, tmp_path)
    assert code == 2
    assert next(iter(api.environment)) in err


def test_an_api_out_of_reach_is_told(api: Api, tmp_path: Path) -> None:
    """A closed port is a message, not a traceback."""
    base = ("--cloud", api.cloud, "--region", api.region, "--into", str(tmp_path), "--endpoint", "http://127.0.0.1:9")
    code, _, err = run("refresh", *base, *api.options)
    assert code == 2
    assert "the cloud's API cannot be reached" in err


@pytest.mark.parametrize("api", [APIS[1]], ids=["huaweicloud"], indirect=True)
def test_all_pages_of_flavors_are_read(api: Api, tmp_path: Path) -> None:
    """The marker leads to the last page, and an unknown product does not cost the others their price."""
    markers = []

    def answer(request: Request) -> Answer:
        if request.path.endswith("/flavors"):
            markers.append(request.query.get("marker"))
        return huaweicloud(request)

    assert refresh(api, tmp_path, answer)[0] == 0
    assert markers == [None, "c6.12xlarge.4", "p9n.2xlarge.8"]


@pytest.mark.parametrize("api", [APIS[0]], ids=["tencentcloud"], indirect=True)
def test_a_price_without_a_currency_is_not_taken(api: Api, tmp_path: Path) -> None:
    """Where the API names no currency the old prices stay until a person says it, and this is said."""
    code, out, _ = refresh(api, tmp_path, tencentcloud, options=())
    assert code == 0
    assert "note: the API names no currency" in out
    assert "ap-bangkok,ap-bangkok-2,GN7.2XLARGE32,7.81,CNY,2022-05-20,T-P22" in rows(api, tmp_path, "offers")


@pytest.mark.parametrize(
    ("cloud", "currency", "told"),
    [
        ("alicloud", "CNY", "the API of alicloud names the currency itself"),
        ("tencentcloud", "EUR", "'EUR' is no currency that tencentcloud bills in"),
    ],
)
def test_a_wrong_currency_is_refused(cloud: str, currency: str, told: str, tmp_path: Path) -> None:
    """A currency that the cloud cannot mean, or that its API says, is refused before any call."""
    code, _, err = run("refresh", "--cloud", cloud, "--into", str(tmp_path), "--currency", currency)
    assert code == 2
    assert told in err
