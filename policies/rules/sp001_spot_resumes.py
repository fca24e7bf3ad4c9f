"""SP001: spot machines train only what can resume.

What: a training machine on spot has no checkpoint interval or target, keeps checkpoints on a disk that dies with it, or
saves more seldom than every 30 minutes without anything that watches for the interruption notice.
Why: the cloud takes a spot machine back within minutes; what was not saved elsewhere is computed and paid again.
Cure: state the checkpoint tags by what the job really does, save to a bucket or a file system, and often enough.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, untagged

ID = "SP001"
SEVERITY = "deny"
TITLE = Message(en="spot machines train only what can resume", zh="抢占式实例只训练可恢复的任务")
WHY = ("D0-38", "D0-56", "D2-53", "D2-66")
SOURCE = "both source documents; vendors' interruption notices of two to five minutes"
ZH = """\
规则：抢占式实例上的训练没有检查点间隔或目标，检查点存放在随机器消失的磁盘上，或间隔超过 30 分钟且没有监听中断通知。
原因：云会在几分钟内收回抢占式实例；没有存到别处的成果要重新计算、重新付费。
修复：按任务的真实情况填写检查点标签，存到存储桶或文件系统，并足够频繁。
"""
DOUBT = Message(
    en="the tags are taken at their word: nothing in a stack proves that the job saves. 30 minutes is our bound; the "
    "notice is two minutes on one cloud and five on another",
    zh="标签按其字面采信：栈无法证明任务真的在保存。30 分钟为我们自定；通知期有的云是两分钟，有的是五分钟",
)
NEEDS = ("Node.charge", "Node.role", "Node.checkpoint_every_minutes", "Node.checkpoint_to", "Node.spot_notice_hook")
SUBJECT = Node

LONGEST_MINUTES = 30

NONE = Message(en="trains on spot and says nothing of checkpoints", zh="在抢占式实例上训练，却没有检查点信息")
LOCAL = Message(
    en="trains on spot and keeps its checkpoints on the machine that is taken away",
    zh="在抢占式实例上训练，检查点却存放在会被收回的机器上",
)
SELDOM = Message(
    en="trains on spot, saves every {minutes:g} minutes, and nothing watches for the interruption notice",
    zh="在抢占式实例上训练，每 {minutes:g} 分钟保存一次，且无人监听中断通知",
)
CHARGE = Message(en="whether this is a spot machine is not known before `up`", zh="是否为抢占式实例在 up 之前未知")
HOOK = Message(
    en="trains on spot, saves every {minutes:g} minutes, and whether something watches for the notice cannot be seen",
    zh="在抢占式实例上训练，每 {minutes:g} 分钟保存一次，是否监听中断通知无法看到",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine or pool that has spot members."""
    for node in facts.of(Node):
        if node.charge is UNKNOWN and node.role == "train":
            yield unknown(node, "charge", CHARGE, "on_demand")
        elif node.charge in {"spot", "mixed"}:
            if node.role is None and node.on_gpus:
                yield untagged(node)
            elif node.role == "train":
                yield from _judge(node)


def _judge(node: Node) -> Iterator[Ruling]:
    minutes = node.checkpoint_every_minutes
    if minutes is None or node.checkpoint_to is None:
        yield deny(node, "tags", NONE, "checkpoint")
    elif node.checkpoint_to == "local":
        yield deny(node, "tags", LOCAL, "durable checkpoint")
    elif minutes > LONGEST_MINUTES and node.spot_notice_hook is UNKNOWN:
        yield unknown(node, "tags", HOOK, "frequent checkpoint", minutes=minutes)
    elif minutes > LONGEST_MINUTES and not node.spot_notice_hook:
        yield deny(node, "tags", SELDOM, "frequent checkpoint", minutes=minutes)
