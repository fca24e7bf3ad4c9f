"""What a node is told at its first start: cloud-init.yaml, with launch.sh and its own facts added."""

import base64
import json
import shlex
from pathlib import Path

from settings import CHECKPOINT_BUCKET, DATA_BUCKET, MASTER_ADDR

HERE = Path(__file__).parent


def facts(rank: int) -> dict[str, str]:
    """What a node's scripts cannot know from the spec alone."""
    return {
        "NODE_RANK": str(rank),
        "MASTER_ADDR": MASTER_ADDR,
        "TRAINFORM_BUCKET": CHECKPOINT_BUCKET,
        "DATA_SOURCE": "cos://" + DATA_BUCKET + "/pretrain-10b/",
        "CHECKPOINT_URL": "cos://" + CHECKPOINT_BUCKET + "/checkpoints",
    }


def bare(text: str) -> str:
    """The text without blank lines and lines of comment: pools take 16 KiB of user data and no more."""
    return "".join(f"{line}\n" for line in text.splitlines() if line.strip() and not line.lstrip().startswith("# "))


def user_data(rank: int) -> str:
    """The user data of the node of this rank; base64, the one form that every carrier takes."""
    node_env = "".join(f"export {key}={shlex.quote(value)}\n" for key, value in facts(rank).items())
    launch = bare((HERE / "launch.sh").read_text(encoding="utf-8"))
    files = [
        {"path": "/etc/trainform/node.env", "content": node_env},
        {"path": "/usr/local/bin/trainform-launch", "permissions": "0755", "content": launch},
    ]
    text = bare((HERE / "cloud-init.yaml").read_text(encoding="utf-8"))
    text += "".join(f"- {json.dumps(file, ensure_ascii=False)}\n" for file in files)  # JSON is YAML.
    return base64.b64encode(text.encode()).decode()
