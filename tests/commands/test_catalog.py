"""`trainform catalog`: the offers as JSON, one type whole, and the lint as a gate."""

from __future__ import annotations

import json
from typing import Any

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from generator.catalog import load_catalog
from generator.cli import main

FIELDS = {
    "cloud", "region", "zone", "instance_type", "vcpus", "memory_gib", "gpu", "gpus", "gpu_memory_gib", "network_gbps",
    "rdma", "price",
}  # fmt: skip


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, output and errors of the command line."""
    with pytest.raises(SystemExit) as ended:
        main(["catalog", *arguments])
    code = ended.value.code
    captured = capsys.readouterr()
    return code if isinstance(code, int) else 0, captured.out, captured.err


def offers(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    """What `list --format json` prints."""
    code, output, _ = run(capsys, "list", *arguments, "--format", "json")
    assert code == 0
    rows: list[dict[str, Any]] = json.loads(output)
    return rows


def test_list_prints_one_entry_an_offer(capsys: pytest.CaptureFixture[str]) -> None:
    """Every offer of every cloud has the promised fields, and a price has amount, currency, date and source."""
    rows = offers(capsys)
    assert len(rows) == sum(
        len(load_catalog(cloud).offers) for cloud in {row["cloud"] for row in rows} | {"baiducloud"}
    )
    assert all(set(row) == FIELDS for row in rows)
    priced = next(
        row for row in rows if row["instance_type"] == "ecs.gn7i-c8g1.2xlarge" and row["region"] == "cn-beijing"
    )
    assert priced["price"] == {"amount": 9.5326, "currency": "CNY", "date": "2025-09", "source": "P-2025"}
    assert any(row["price"] is None for row in rows)


def test_cloud_region_and_gpu_narrow_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    """Each option leaves only what it names, a group means its members, and slices have a name of their own."""
    rows = offers(capsys, "--cloud", "alicloud", "--region", "cn-beijing", "--gpu", "A100-80GB")
    assert rows
    assert {(row["cloud"], row["region"], row["gpu"]) for row in rows} == {("alicloud", "cn-beijing", "A100-SXM-80")}
    assert {row["gpu"] for row in offers(capsys, "--gpu", "A10 slice")} == {"A10 slice"}
    assert {row["gpu"] for row in offers(capsys, "--gpu", "A10")} == {"A10"}


def test_the_text_explains_its_sources(capsys: pytest.CaptureFixture[str]) -> None:
    """People read a table, with an unpriced offer called so and the sources below it."""
    code, output, _ = run(capsys, "list", "--cloud", "alicloud", "--gpu", "RTXPRO5000-72")
    assert code == 0
    assert "unpriced" in output
    _, output, _ = run(capsys, "list", "--cloud", "alicloud", "--region", "cn-beijing", "--gpu", "A10")
    assert "1 x A10  9.5326 CNY/hour (2025-09, P-2025)" in output
    assert output.rstrip().rpartition("\n")[2].startswith("P-2025: ")


def test_nothing_found_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty answer is a sentence, not an empty screen."""
    code, output, _ = run(capsys, "list", "--cloud", "alicloud", "--gpu", "B200")
    assert (code, output.strip()) == (0, "no offer fits")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("list", "--cloud", "alicoud"), "did you mean 'alicloud'?"),
        (("list", "--region", "cn-bejing"), "did you mean 'cn-beijing'"),
        (("list", "--gpu", "A1000"), "'A1000' is not an accelerator"),
        (("show", "ecs.gn7i-c8g1.2xlarg"), "did you mean 'ecs.gn7i-c8g1.2xlarge'"),
        (("show", "ecs.g6.xlarge"), "that the catalog does not describe; a list prices it in"),
    ],
)
def test_unknown_names_are_refused_with_the_nearest(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str
) -> None:
    """A wrong name ends in exit 2, a sentence and, where one is near, what was meant."""
    code, output, errors = run(capsys, *arguments)
    assert (code, output) == (2, "")
    assert words in errors


def test_show_tells_all_of_a_type(capsys: pytest.CaptureFixture[str]) -> None:
    """A type with its card, nominal and usable memory, fabric, disks and every region's price."""
    _, output, _ = run(capsys, "show", "ecs.ebmgn7ex.32xlarge")
    for words in (
        "8 x A100-SXM-80",
        "80 GiB nominal, 79.3467 GiB usable",
        "RDMA erdma 160 Gbit/s",
        "UEFI",
        "cn-beijing",
    ):
        assert words in output
    _, output, _ = run(capsys, "show", "ecs.gn8e.6xlarge")
    assert "unknown card: the API masks the card as GPU H-e (141 GB)" in output
    assert "no region is known" in output


def test_show_prints_hints_and_notes(capsys: pytest.CaptureFixture[str]) -> None:
    """A price of which no region is known stands as a hint, and what a source adds as a note."""
    _, output, _ = run(capsys, "show", "ecs.gn8v-2x.8xlarge")
    assert "71.58 CNY/hour, region not printed (undated," in output
    assert "the doc asks to contact sales" in output


def test_show_as_json_holds_the_offers(capsys: pytest.CaptureFixture[str]) -> None:
    """The JSON of a type is its fields and its offers as `list` prints them."""
    _, output, _ = run(capsys, "show", "GT4.41XLARGE948", "--format", "json")
    whole = json.loads(output)
    assert (whole["gpu"], whole["gpus"], whole["interconnect"]) == ("A100-SXM-40", 8, "nvlink")
    assert all(set(offer) == FIELDS for offer in whole["offers"])


def test_lint_passes_on_what_ships(capsys: pytest.CaptureFixture[str]) -> None:
    """All catalogs are clean: exit 0 with a line each, and an empty list as JSON."""
    code, output, _ = run(capsys, "lint")
    assert code == 0
    assert "alicloud: 305 types" in output
    code, output, _ = run(capsys, "lint", "--format", "json")
    assert (code, json.loads(output)) == (0, [])


def test_lint_is_a_gate(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A broken invariant is printed with its table and ends in exit 1."""
    catalog = load_catalog("alicloud")
    broken = replace(catalog, types=(*catalog.types, catalog.types[0]))
    monkeypatch.setattr("generator.catalog.load_catalog", lambda cloud: broken if cloud == "alicloud" else catalog)
    code, output, _ = run(capsys, "lint", "--cloud", "alicloud")
    assert code == 1
    assert "clouds/alicloud/instance_types.csv: type: " in output
    code, output, _ = run(capsys, "lint", "--cloud", "alicloud", "--format", "json")
    assert code == 1
    assert json.loads(output)[0]["file"] == "clouds/alicloud/instance_types.csv"


def test_help_names_the_commands() -> None:
    """The group lists its three commands."""
    from generator.commands.catalog import command

    output = CliRunner().invoke(command, ["--help"]).output
    assert all(name in output for name in ("list", "show", "lint"))
