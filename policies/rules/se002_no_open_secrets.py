"""SE002: no password or key stands in the program.

What: a password or access key as a plain text, in an input that is called so, in user data (also base64) or in JSON.
Why: programs are read by many, kept for ever in version control, and the state file repeats them in the clear.
Cure: a secret of Pulumi's config (`pulumi config set --secret`), a role of the machine instead of a key, a key pair
instead of a password.
"""

from collections.abc import Iterator

from generator.facts import Facts, OpenSecret
from policies.ruling import Message, Ruling, deny

ID = "SE002"
SEVERITY = "deny"
TITLE = Message(en="no password or key stands in the program", zh="程序中没有明文密码或密钥")
WHY = ("ours",)
SOURCE = "forms of keys by their makers"
ZH = """\
规则：密码或访问密钥以明文出现在名称如此的输入、用户数据（含 base64）或 JSON 中。
原因：程序会被许多人阅读，永远留在版本库里，状态文件也会明文重复。
修复：使用 Pulumi 配置的密文（`pulumi config set --secret`），以实例角色代替密钥，以密钥对代替密码。
"""
DOUBT = Message(
    en="secrets are recognised by the name of the input and by the makers' forms of keys: one of another form under "
    "another name is not found",
    zh="密钥靠输入名称和厂商的密钥格式识别：换了格式又换了名称的发现不了",
)
NEEDS = ("OpenSecret.what", "OpenSecret.path")
SUBJECT = OpenSecret

OPEN = Message(en="{what} stands in plain text at {path}", zh="{path} 处有明文：{what}")


def check(facts: Facts) -> Iterator[Ruling]:
    """Report every open secret; the secret itself is never shown."""
    for secret in facts.of(OpenSecret):
        yield deny(secret, "secret", OPEN, "closed", what=secret.what, path=secret.path)
