"""IM001: the image brings the driver of the card, or the start does.

What: the image's system is past its end of life, or the image is built for processors only on a machine with cards
(deny); a plain system without a driver step in the user data (warn); an image that nobody can look into (unknown).
Why: without a driver that fits the card and the toolkit nothing runs, and a system past its end gets no such driver.
Cure: the vendor's GPU image, or a plain image in support with a pinned driver version in the user data.
"""

from collections.abc import Iterator

from generator.facts import Facts, Node
from generator.program.values import UNKNOWN
from policies.ruling import Message, Ruling, deny, unknown, warn

ID = "IM001"
SEVERITY = "deny"
TITLE = Message(en="the image brings the driver of the card, or the start does", zh="镜像自带驱动，或启动时安装驱动")
WHY = ("D0-52",)
SOURCE = "general source document; end-of-life dates by the systems' makers"
ZH = """\
规则：镜像的系统已停止支持，或带加速卡的机器使用仅供 CPU 的镜像（拒绝）；普通系统镜像且用户数据中没有安装驱动的步骤（
警告）；无法查看内容的镜像（未知）。
原因：没有与加速卡和工具包匹配的驱动，什么也跑不起来；而停止支持的系统得不到这样的驱动。
修复：使用厂商的 GPU 镜像，或仍受支持的普通镜像并在用户数据中安装固定版本的驱动。
"""
DOUBT = Message(
    en="what a private image holds cannot be seen from outside; a driver step is recognised by its words, so one "
    "that is hidden in another script is not seen",
    zh="私有镜像的内容无法从外部看到；安装驱动的步骤靠文字识别，藏在其他脚本里的看不到",
)
OPPOSED = Message(
    en="Alibaba Cloud Config's `ecs-instance-image-type-check` is content with any image that is set",
    zh="阿里云配置审计的 `ecs-instance-image-type-check` 只要求设置了镜像，不管是什么镜像",
)
NEEDS = ("Node.image_kind", "Node.image_ends", "Node.driver_step", "Node.gpus")
SUBJECT = Node

ENDED = Message(
    en="the system of image {image} lost its support on {ends}", zh="镜像 {image} 的系统已于 {ends} 停止支持"
)
CPU_ONLY = Message(
    en="image {image} is built for processors, and this machine has cards",
    zh="镜像 {image} 仅支持 CPU，而机器带有加速卡",
)
NO_DRIVER = Message(
    en="image {image} is a plain system, and no driver step is to be seen in the user data",
    zh="镜像 {image} 是普通系统，用户数据中没有安装驱动的步骤",
)
MAYBE_DRIVER = Message(
    en="image {image} is a plain system, and the user data cannot be seen before `up`",
    zh="镜像 {image} 是普通系统，用户数据在 up 之前不可见",
)
PRIVATE = Message(
    en="whether the private image {image} has a driver cannot be seen from outside",
    zh="私有镜像 {image} 是否带驱动无法从外部看到",
)
UNHEARD = Message(en="no table knows the image {image}", zh="没有表收录镜像 {image}")
UNSEEN = Message(en="the image is not known before `up`", zh="镜像在 up 之前未知")


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the image of every machine; what concerns drivers, only of machines with cards."""
    for node in facts.of(Node):
        if node.image_ends is not None and node.image_ends <= facts.today:
            yield deny(node, "image", ENDED, "supported", image=node.image, ends=node.image_ends)
        elif node.on_gpus:
            yield from _judge(node)


def _judge(node: Node) -> Iterator[Ruling]:
    if node.image_kind == "cpu":
        yield deny(node, "image", CPU_ONLY, "gpu", image=node.image)
    elif node.image_kind == "gpu" or (node.driver_step is True and node.image_kind is not UNKNOWN):
        return  # drivers are in it, or are put in at the first start
    elif node.image_kind == "private":
        yield unknown(node, "image", PRIVATE, "gpu", image=node.image)
    elif node.image_kind is UNKNOWN:
        yield unknown(node, "image", UNSEEN, "gpu")
    elif node.image_kind is None:
        yield unknown(node, "image", UNHEARD, "gpu", image=node.image)
    elif node.driver_step is UNKNOWN:
        yield unknown(node, "driver_step", MAYBE_DRIVER, "present", image=node.image)
    elif not node.driver_step:
        yield warn(node, "driver_step", NO_DRIVER, "present", image=node.image)
