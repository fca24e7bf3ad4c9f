"""SP005: a checkpoint can be written within the interruption notice, or one is taken often enough.

What: writing one checkpoint takes longer than the cloud's notice, and the interval between them is over 15 minutes.
Why: the notice is then too short to save, and all since the last checkpoint is computed again.
Cure: a shorter interval, faster storage for checkpoints, or saving in the background.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, untagged, warn

ID = "SP005"
SEVERITY = "warn"
TITLE = Message(
    en="a checkpoint is written within the notice, or taken often", zh="检查点能在通知期内写完，或保存足够频繁"
)
WHY = ("ours",)
SOURCE = "the cloud's interruption notice; 0.1 GB/s as a cautious speed to a bucket from one machine"
ZH = """\
规则：写一个检查点所需时间超过云的中断通知期，而检查点间隔又超过 15 分钟。
原因：通知期内来不及保存，上次检查点之后的成果都要重算。
修复：缩短间隔，使用更快的检查点存储，或在后台保存。
"""
DOUBT = Message(
    en="0.1 GB/s from one machine to a bucket is a cautious figure of ours; measured speeds are often higher",
    zh="单机写存储桶 0.1 GB/s 是我们的保守取值；实测往往更快",
)
NEEDS = ("Node.charge", "Node.role", "Node.notice_s", "Node.checkpoint_every_minutes", "SizedFacts.checkpoint_gib")
SUBJECT = Node

OFTEN_MINUTES = 15
CAUTIOUS_GIB_S = 0.1

LATE = Message(
    en="a checkpoint of {gib:.0f} GiB takes about {takes:.0f} s, the notice is {notice:.0f} s, "
    "and one is taken each {minutes:g} minutes",
    zh="{gib:.0f} GiB 的检查点约需 {takes:.0f} 秒，通知期 {notice:.0f} 秒，每 {minutes:g} 分钟保存一次",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge training on spot whose checkpoint's size is known; the machines of a job share the writing."""
    gib = facts.sized.checkpoint_gib
    for node in facts.of(Node):
        if node.charge not in {"spot", "mixed"}:
            continue
        if node.role is None and node.on_gpus:
            yield untagged(node)
        elif node.role == "train" and gib is not None and node.notice_s is not None and node.checkpoint_every_minutes:
            writers = node.job_size if isinstance(node.job_size, int) else 1
            takes = gib / (CAUTIOUS_GIB_S * max(writers, 1))
            minutes = node.checkpoint_every_minutes
            if takes > node.notice_s and minutes > OFTEN_MINUTES:
                yield warn(
                    node,
                    "tags",
                    LATE,
                    "frequent checkpoint",
                    gib=gib,
                    takes=takes,
                    notice=node.notice_s,
                    minutes=minutes,
                )
