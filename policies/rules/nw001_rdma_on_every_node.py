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
