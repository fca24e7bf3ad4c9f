"""NW001: a job over several machines has RDMA on every one of them.

What: a machine of a training job with accelerators and more than one node has its RDMA interface switched off, or is of
a type that has none.
Why: gradients cross the network at every step; over plain TCP the processors copy them, and large models wait longer
than they compute.
Cure: a type that has RDMA, and its switch on. A job on one machine needs none; preparing data needs none.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, skip, unknown, untagged

ID = "NW001"
SEVERITY = "deny"
TITLE = Message(en="a job over several machines has RDMA on every one", zh="多机任务的每台机器都启用 RDMA")
WHY = ("D0-26", "D0-41", "D0-67", "D2-09", "D2-38")
SOURCE = "both source documents; NCCL maintainers on 100 and 200 Gbit/s cards (NVIDIA/nccl #766)"
ZH = """\
规则：多机训练任务中，带加速卡的机器关闭了 RDMA 网卡，或其规格根本没有 RDMA。
原因：每一步都要通过网络交换梯度；普通 TCP 由 CPU 复制数据，大模型等待的时间比计算还长。
修复：选用支持 RDMA 的规格，并打开开关。单机任务不需要；数据预处理也不需要。
"""
DOUBT = Message(
    en="how much TCP loses depends on model and cards: 9 % for VGG-16 on 16 GPUs, an order of magnitude on NVLink "
    "machines; the source document's `over 50 %` is no law. One document asks for RDMA in all formal training: here "
    "only for several machines",
    zh="TCP 的损失取决于模型和加速卡：16 卡 VGG-16 损失 9 %，NVLink 机器相差一个数量级；源文档的“超过 50 %”并非定"
    "律。其中一份文档要求所有正式训练都用 RDMA：此处只要求多机任务",
)
NEEDS = ("Node.rdma", "Node.role", "Node.job_size", "Node.gpus")
SUBJECT = Node

OFF = Message(
    en="one of {nodes} machines of job {job} without RDMA: it is switched off",
    zh="任务 {job} 的 {nodes} 台机器之一未启用 RDMA",
)
CANNOT = Message(
    en="one of {nodes} machines of job {job} without RDMA: {why}", zh="任务 {job} 的 {nodes} 台机器之一没有 RDMA：{why}"
)
UNSEEN = Message(en="whether RDMA is on is not known before `up`", zh="RDMA 是否启用在 up 之前未知")
SIZE = Message(
    en="how many machines the job has is not known before `up`, and RDMA is off",
    zh="任务的机器数在 up 之前未知，且未启用 RDMA",
)
NO_CARDS = Message(en="{name} has no accelerators", zh="{name} 没有加速卡")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every machine of training jobs that span machines."""
    for node in facts.of(Node):
        if node.gpus == 0:
            yield skip(node, NO_CARDS, name=node.resource.name)
        elif node.role is None:
            yield untagged(node)
        elif node.role == "train":
            yield from _judge(node)


def _judge(node: Node) -> Iterator[Ruling]:
    size = node.job_size
    if node.rdma is True or (isinstance(size, int) and size <= 1):
        return
    if node.rdma is UNKNOWN:
        yield unknown(node, "rdma", UNSEEN, "on")
    elif not isinstance(size, int):
        yield unknown(node, "rdma", SIZE, "on")
    elif node.rdma_note:
        yield deny(node, "types", CANNOT, "rdma type", nodes=size, job=node.job or "", why=node.rdma_note)
    else:
        yield deny(node, "rdma", OFF, "on", nodes=size, job=node.job or "")
