"""The scripts that only this cloud's nodes run: the signature of calls, the figures that alarms are made of."""

import hashlib
import hmac
import json
import os
import subprocess
from pathlib import Path

import pytest

from generator.stack.templating import TEMPLATES

SCRIPTS = TEMPLATES / "huaweicloud" / "startup"
METADATA = """#!/bin/bash
case $1 in
  securitykey) echo '{"credential": {"access": "AK", "secret": "S+K/=", "securitytoken": "TOKEN"}}' ;;
  meta_data.json) echo '{"uuid": "vm-1", "project_id": "p-1"}' ;;
esac
"""
CURL = '#!/bin/bash\nprintf "%s\\n" "$@" >"$SEEN"\necho "{}"\n'


@pytest.fixture
def node(tmp_path: Path) -> Path:
    """A folder in which scripts find their settings, and stand-ins for the metadata and the network."""
    (tmp_path / "job.env").write_text(
        "export REGION=cn-north-4 GPUS=2 TRAINFORM_JOB=j METER_NAMESPACE=TRAINFORM.NODE\n"
    )
    for name, text in (("trainform-metadata", METADATA), ("curl", CURL)):
        stand_in(tmp_path, name, text)
    return tmp_path


def stand_in(node: Path, name: str, text: str) -> None:
    """A program of the node's own."""
    (node / name).write_text(text)
    (node / name).chmod(0o755)


def run(node: Path, script: str, *arguments: str) -> list[str]:
    """The arguments of the last call of curl, after a script has run."""
    text = (SCRIPTS / script).read_text(encoding="utf-8").replace("/etc/trainform/job.env", str(node / "job.env"))
    stand_in(node, script, text)
    seen = node / "seen"
    path = f"{node}:{os.environ['PATH']}"
    subprocess.run(
        ["bash", str(node / script), *arguments], env={"PATH": path, "SEEN": str(seen)}, check=True, capture_output=True
    )
    return seen.read_text().splitlines()


def header(call: list[str], name: str) -> str:
    """The value of a header of a call."""
    return next(word.partition(": ")[2] for word in call if word.startswith(f"{name}: "))


def test_a_call_is_signed(node: Path) -> None:
    """SDK-HMAC-SHA256, computed here by its definition, over method, path, query, headers and body."""
    body = '{"a": "ä"}'
    call = run(node, "trainform-api", "evs", "POST", "/v2/PROJECT/cloudvolumes?limit=1", body)
    assert "https://evs.cn-north-4.myhuaweicloud.com/v2/p-1/cloudvolumes?limit=1" in call
    now = header(call, "X-Sdk-Date")
    signed = "content-type;host;x-sdk-date"
    host = "evs.cn-north-4.myhuaweicloud.com"
    lines = ["POST", "/v2/p-1/cloudvolumes/", "limit=1", "content-type:application/json", f"host:{host}"]
    lines += [f"x-sdk-date:{now}", "", signed, hashlib.sha256(body.encode()).hexdigest()]
    digest = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    expected = hmac.new(b"S+K/=", f"SDK-HMAC-SHA256\n{now}\n{digest}".encode(), hashlib.sha256).hexdigest()
    told = header(call, "Authorization")
    assert told == f"SDK-HMAC-SHA256 Access=AK, SignedHeaders={signed}, Signature={expected}"
    assert header(call, "X-Security-Token") == "TOKEN"
    assert call[-1] == body


@pytest.mark.parametrize(
    ("figures", "program", "text"),
    [
        ("nvidia", "nvidia-smi", "printf '50, 8000, 16000\\n70, 12000, 16000\\n'"),
        (
            "ascend",
            "npu-smi",
            'printf "HBM Usage Rate(%%) : %s\\nAicore Usage Rate(%%) : %s\\n" $((50 + 25 * $5)) $((50 + 20 * $5))',
        ),
    ],
)
def test_the_meter_reports_all_cards(node: Path, figures: str, program: str, text: str) -> None:
    """The mean of what cards are busy with, the fullest memory, under the job's name: what the alarms read."""
    stand_in(node, program, f"#!/bin/bash\n{text}\n")
    values = metered(node, f"trainform-figures-{figures}")
    assert (values["gpuUtil"], values["gpuMemUsedRate"], values["cpuUsage"]) == (60.0, 75.0, 10)
    assert 0 <= values["memUsedRate"] <= 100


def test_a_node_without_cards_reports_the_machine_alone(node: Path) -> None:
    """A CPU node's report holds processors and memory, and no card is asked."""
    assert set(metered(node)) == {"cpuUsage", "memUsedRate"}


def metered(node: Path, *figures: str) -> dict[str, float]:
    """What the meter reports, by metric, where these scripts give figures besides the machine's."""
    stand_in(node, "vmstat", "#!/bin/bash\necho 1 2 3 4 5 6 7 8 9 10 11 12 13 14 90 0 0\n")
    for script in ("trainform-api", "trainform-figures-machine", *figures):
        text = (SCRIPTS / script).read_text(encoding="utf-8")
        stand_in(node, script, text.replace("/etc/trainform/job.env", str(node / "job.env")))
    (report,) = json.loads(run(node, "trainform-meter")[-1])
    assert report["metric"] == {"namespace": "TRAINFORM.NODE", "dimensions": [{"name": "job", "value": "j"}]}
    return {value["metric_name"]: value["value"] for value in report["values"]}
