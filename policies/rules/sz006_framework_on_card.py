"""SZ006: the wheels of the framework still have code for the card.

What: the framework that the stack names has no code for the card (deny); without that fact, a card that today's wheels
no longer build for: V100 and older (warn).
Why: the program stops at its first kernel: `no kernel image is available for execution on the device`.
Cure: a newer card, or the newest wheels that still have it, named in the spec.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, deny, unknown, warn

ID = "SZ006"
SEVERITY = "deny"
TITLE = Message(en="the framework's wheels have code for the card", zh="框架安装包支持该加速卡")
WHY = ("D0-53", "D2-49", "D0-76")
SOURCE = "pytorch/pytorch #172352, #175253: wheels for CUDA 12.8 and later have no Volta"
ZH = """\
规则：栈声明的框架没有该卡的代码（拒绝）；没有声明时，当前安装包不再支持的卡：V100 及更早（警告）。
原因：程序在第一个内核处停止：`no kernel image is available for execution on the device`。
修复：换用新卡，或在 spec 中指定仍支持该卡的最新安装包。
"""
DOUBT = Message(
    en="wheels that somebody built for the card, or a vendor's container, are not seen: name the toolchain in the spec",
    zh="看不到自行编译的安装包或厂商容器：请在 spec 中写明工具链",
)
NEEDS = ("SizedFacts.framework", "Node.cards", "Node.compute_capability")
SUBJECT = Node

OLD = 7.0  # Volta: the newest that today's default wheels leave out

NO_CODE = Message(en="{framework} has no code for {gpu}", zh="{framework} 不支持 {gpu}")
AGING = Message(
    en="today's default wheels have no code for {gpu} (compute capability {have:g})",
    zh="当前默认安装包不支持 {gpu}（计算能力 {have:g}）",
)
UNHEARD = Message(en="no table knows the framework {framework}", zh="没有表收录框架 {framework}")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge every card of every machine."""
    framework = facts.sized.framework
    for node in facts.of(Node):
        if not node.cards or node.role in {"dev", "prep"}:
            if node.role == "dev" and node.compute_capability is not None and node.compute_capability <= OLD:
                yield warn(node, "types", AGING, "newer card", gpu=node.gpu, have=node.compute_capability)
        elif framework is not None:
            yield from _judge(node, framework)
        elif node.compute_capability is not None and node.compute_capability <= OLD:
            yield warn(node, "types", AGING, "newer card", gpu=node.gpu, have=node.compute_capability)


def _judge(node: Node, framework: str) -> Iterator[Ruling]:
    from generator.sizing.accelerators import find_accelerator  # noqa: PLC0415  (paid for by stacks that name one)
    from generator.sizing.profiles import find_toolchain, supports  # noqa: PLC0415

    toolchain = find_toolchain(framework)
    if toolchain is None:
        yield unknown(node, "types", UNHEARD, "newer card", framework=framework)
        return
    for name in node.cards:
        card = find_accelerator(name)
        if card is not None and not supports(toolchain, card):
            yield deny(node, "types", NO_CODE, "newer card", framework=framework, gpu=name)
