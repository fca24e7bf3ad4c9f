"""MO002: an alarm on a GPU metric tells somebody.

What: no alarm of the stack watches a GPU metric of this machine or pool and names a receiver.
Why: a job that hangs leaves its cards idle at the full price until somebody looks; below 70 % for long means waiting
for data, processors or the network.
Cure: an alarm on GPU utilisation over these machines, with a contact group that is read.
"""

from collections.abc import Iterator

from generator.facts import Alarm, Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, unknown, warn

ID = "MO002"
SEVERITY = "warn"
TITLE = Message(en="an alarm on a GPU metric tells somebody", zh="GPU 指标告警能通知到人")
WHY = ("D0-66", "D2-61")
SOURCE = "both source documents"
ZH = """\
规则：栈中没有任何告警监视这台机器或伸缩组的 GPU 指标并通知到人。
原因：挂起的任务会让加速卡按全价空转，直到有人查看；利用率长期低于 70 % 说明在等数据、CPU 或网络。
修复：对这些机器的 GPU 利用率设置告警，并通知到有人查看的联系人组。
"""
DOUBT = Message(
    en="alarms that were made outside this stack are not seen; that low utilisation means waiting for data is the "
    "source document's reading, users found causes in the program too",
    zh="看不到栈外创建的告警；利用率低即等数据是源文档的说法，也有用户发现原因在程序里",
)
NEEDS = ("Alarm.gpu_metric", "Alarm.receivers", "Alarm.nodes", "Node.gpus")
SUBJECT = Node
CAPABILITY = "gpu_alarms"

NOBODY = Message(
    en="no alarm watches a GPU metric of this machine and tells somebody",
    zh="没有告警监视这台机器的 GPU 指标并通知到人",
)
DEAF = Message(en="the alarm {alarm} on a GPU metric has no receiver", zh="GPU 指标告警 {alarm} 没有接收人")
UNSEEN = Message(
    en="whether the alarm {alarm} watches this machine's GPUs is not known before `up`",
    zh="告警 {alarm} 是否监视这台机器的 GPU 在 up 之前未知",
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine with cards by the alarms over it."""
    everywhere = [alarm for alarm in facts.of(Alarm) if alarm.all_nodes is True]
    nowhere_certain = [alarm for alarm in facts.of(Alarm) if alarm.all_nodes is UNKNOWN]
    over: dict[str, list[Alarm]] = {}
    for alarm in facts.of(Alarm):
        for urn in alarm.nodes:
            over.setdefault(urn, []).append(alarm)
    for node in facts.of(Node):
        if node.on_gpus:
            yield from _judge(node, everywhere + over.get(node.resource.urn, []), nowhere_certain)


def _judge(node: Node, over: list[Alarm], nowhere_certain: list[Alarm]) -> Iterator[Ruling]:
    if any(alarm.gpu_metric is True and alarm.receivers is True for alarm in over):
        return
    perhaps = [alarm for alarm in over if UNKNOWN in (alarm.gpu_metric, alarm.receivers)] + nowhere_certain
    deaf = [alarm for alarm in over if alarm.gpu_metric is True and alarm.receivers is False]
    if perhaps:
        yield unknown(node, "alarm", UNSEEN, "present", alarm=perhaps[0].resource.name)
    elif deaf:
        yield warn(deaf[0], "receivers", DEAF, "present", alarm=deaf[0].resource.name)
    else:
        yield warn(node, "alarm", NOBODY, "present")
