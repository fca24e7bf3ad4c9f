"""SP003: long runs and runs over several machines can resume.

What: a training job of more than a day, or over more than one machine, says nothing of checkpoints.
Why: the longer a run and the more machines it has, the surer one of them fails before the end; without a checkpoint all
of it is computed and paid again.
Cure: state the checkpoint tags by what the job really does.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, deny, unknown, untagged

ID = "SP003"
SEVERITY = "deny"
TITLE = Message(en="long runs and runs over several machines can resume", zh="长时间或多机运行可以恢复")
WHY = ("D0-68", "D0-28")
SOURCE = "general source document"
ZH = """\
规则：超过一天或使用多台机器的训练任务没有检查点信息。
原因：运行越久、机器越多，中途必有一台失败；没有检查点，一切都要重新计算、重新付费。
修复：按任务的真实情况填写检查点标签。
"""
DOUBT = Message(
    en="24 hours is the source document's figure; the tags are taken at their word",
    zh="24 小时取自源文档；标签按其字面采信",
)
NEEDS = ("Node.role", "Node.job_size", "Node.checkpoint_every_minutes", "Node.checkpoint_to", "SizedFacts.run_hours")
SUBJECT = Node

LONG_HOURS = 24

MANY = Message(
    en="trains on {nodes} machines and says nothing of checkpoints", zh="在 {nodes} 台机器上训练，却没有检查点信息"
)
LONG = Message(
    en="trains for {hours:g} hours and says nothing of checkpoints", zh="训练 {hours:g} 小时，却没有检查点信息"
)
UNTOLD = Message(
    en="says nothing of checkpoints, and how long the run is, or on how many machines, is not known",
    zh="没有检查点信息，运行时长或机器数未知",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every training machine whose checkpoints are not stated."""
    for node in facts.of(Node):
        if node.role is None and node.on_gpus:
            yield untagged(node)
        elif node.role == "train" and (node.checkpoint_every_minutes is None or node.checkpoint_to is None):
            yield from _judge(node, facts.sized.run_hours)


def _judge(node: Node, hours: float | None) -> Iterator[Ruling]:
    size = node.job_size
    if isinstance(size, int) and size > 1:
        yield deny(node, "tags", MANY, "checkpoint", nodes=size)
    elif hours is not None and hours > LONG_HOURS:
        yield deny(node, "tags", LONG, "checkpoint", hours=hours)
    elif hours is None or not isinstance(size, int):
        yield unknown(node, "tags", UNTOLD, "checkpoint")
