"""Public cases of jobs on Baidu AI Cloud: what a person who does this job would be told."""

from pathlib import Path
from typing import Any

import yaml

from generator.catalog.asked import load_asked
from generator.selection import Selection, select
from generator.spec import load_spec
from generator.workload import derive
from tests.planted.baiducloud import node
from tests.rules.drafts import Draft

PRICES = Path(__file__).parent / "prices.csv"
PLACE = {"clouds": ["baiducloud"], "regions": ["bj"]}


def answer(folder: Path, **values: Any) -> Selection:
    """The selection of a spec on what the account of the prices file may buy."""
    (folder / "prices.csv").write_text(PRICES.read_text(encoding="utf-8"))
    spec = {"name": "case", "where": PLACE, "prices": "./prices.csv", **values}
    (folder / "spec.yaml").write_text(yaml.safe_dump(spec))
    asked = load_spec(folder / "spec.yaml")
    return select(asked, derive(asked), load_asked(asked))


def test_c026_four_old_cards_for_a_small_transformer(tmp_path: Path) -> None:
    """C026: 4 x P40 in one node with 100 GiB are not sold, each refusal says so; P40 itself is flagged as too old."""
    selection = answer(
        tmp_path,
        workload={
            "task": "pretrain",
            "model": {"parameters": "0.1B"},
            "framework": "paddle",
            "precision": "fp32",
            "run_hours": 10,
        },
        launch={"command": "python train.py"},
        data={"size": "4GiB", "source": "bos://sets/nist"},
        hardware={"gpus": ["P40"], "nodes": 1, "gpus_per_node": 4, "ram": ">=100GiB"},
    )
    assert selection.chosen is None
    said = {row.instance_type: (row.reason, row.message) for row in selection.rejected}
    reason, message = said["bcc.lgn1.c12m40.1p40"]
    assert reason == "hardware_limit"
    assert "40 GiB of RAM, at least 100 asked" in message or "1 GPU a node, at least 4 asked" in message
    stack = Draft("baiducloud", "bj")
    node(stack)
    assert [finding.verdict for finding in stack.findings("SZ006")] == ["warn"]


def test_c052_forty_nodes_are_no_faster_than_ten(tmp_path: Path) -> None:
    """C052: forty nodes whose fabric nobody knows are refused for it, not for cores or disks; fewer are proposed."""
    selection = answer(
        tmp_path,
        workload={
            "task": "pretrain",
            "model": "resnet50",
            "framework": "paddle",
            "precision": "fp16",
            "epochs": 90,
            "global_batch": 10240,
        },
        launch={"command": "python train.py"},
        data={"size": "10GiB", "files": 100, "samples": 1281167, "source": "bos://sets/images", "on": "bucket"},
        hardware={"nodes": 40, "gpus_per_node": 8},
    )
    assert selection.chosen is None
    said = {row.instance_type: (row.reason, row.message) for row in selection.rejected}
    reason, message = said["bcc.hgn5IB.c116m978.8A100-80g"]
    assert reason == "fabric"
    assert "communication" in message
    nearest = next(row for row in selection.relax if row.field == "hardware.nodes")
    assert nearest.candidate.nodes < 40
