"""NW003: cards that split one model are joined by NVLink.

What: a job whose layout splits layers over cards (tensor parallel, by the stack's output) runs on a type whose cards
are joined by PCIe only; deny for training, warn for serving.
Why: every layer exchanges its activations twice; over PCIe the cards wait longer than they compute.
Cure: a type with NVLink, or a layout without tensor parallel.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from policies.ruling import Message, Ruling, deny, unknown, warn

ID = "NW003"
SEVERITY = "deny"
TITLE = Message(en="cards that split one model are joined by NVLink", zh="切分同一模型的加速卡由 NVLink 互联")
WHY = ("D0-27",)
SOURCE = "general source document; NVIDIA's guides for tensor parallel"
ZH = """\
规则：任务的布局把层切分到多张卡上（张量并行，见栈的输出），而规格的加速卡仅由 PCIe 互联；训练为拒绝，推理为警告。
原因：每一层要交换两次激活值；经由 PCIe，加速卡等待的时间比计算还长。
修复：选用带 NVLink 的规格，或不用张量并行的布局。
"""
DOUBT = Message(
    en="the layout is known only where the stack's output tells `tensor_parallel`; other layouts over PCIe are "
    "slower too, and are left to the estimate",
    zh="只有栈的输出给出 `tensor_parallel` 时才知道布局；其他布局走 PCIe 也会变慢，由估算处理",
)
NEEDS = ("Node.nvlink", "Node.gpus", "Node.role", "SizedFacts.tensor_parallel")
SUBJECT = Node

APART = Message(
    en="tensor parallel over {ways} cards, and those of {types} are joined by PCIe",
    zh="张量并行跨 {ways} 张卡，而 {types} 的卡仅由 PCIe 互联",
)
TOO_WIDE = Message(
    en="tensor parallel over {ways} cards, and {types} has {gpus}",
    zh="张量并行跨 {ways} 张卡，而 {types} 只有 {gpus} 张",
)
UNSEEN = Message(en="how the cards of {types} are joined is not known", zh="{types} 的卡间互联方式未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge machines of stacks that carry a tensor-parallel layout."""
    ways = facts.sized.tensor_parallel
    if ways is None or ways <= 1:
        return
    for node in facts.of(Node):
        if node.role not in {"train", "infer"} or not node.on_gpus:
            continue
        say = deny if node.role == "train" else warn
        types = ", ".join(map(str, node.types))
        if node.gpus is not None and ways > node.gpus:
            yield say(node, "types", TOO_WIDE, "nvlink", ways=f"{ways:g}", types=types, gpus=node.gpus)
        elif node.nvlink is None:
            yield unknown(node, "types", UNSEEN, "nvlink", types=types)
        elif not node.nvlink:
            yield say(node, "types", APART, "nvlink", ways=f"{ways:g}", types=types)
