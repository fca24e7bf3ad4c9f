"""Names of the Terraform provider of Baidu AI Cloud, read from its source, for the test of the module in stacks.

    python -m generator.imports.baiducloud_schema PROVIDER_REPOSITORY > tests/data/baiducloud_schema.csv

There is no SDK whose types could be asked, so the arguments of the resources of our module are kept as a table:
resource, path of an argument (`spec.cluster_id`), its kind, whether it is required, whether a block stands alone.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections.abc import Iterator

import msgspec

# The resources of templates/baiducloud/baiducloud.py.
RESOURCES = (
    "auto_snapshot_policy", "bcc_key_pair", "bos_bucket", "ccev2_cluster", "ccev2_instance_group", "cds",
    "cds_attachment", "cfs", "cfs_mount_target", "deployset", "eip", "eip_association", "hpas_instance", "instance",
    "nat_gateway", "nat_snat_rule", "security_group", "security_group_rule", "subnet", "vpc",
)  # fmt: skip
MAP = "map[string]*schema.Schema{"
DEEPEST = 12


class Argument(msgspec.Struct, frozen=True, kw_only=True):
    """One argument of a resource; `single`: a block of which there is one."""

    path: str
    kind: str
    required: bool
    single: bool


def read_source(repository: str) -> str:
    """All Go files of the newest commit but tests, one after the other."""
    listed = _git(repository, "ls-tree", "-r", "--name-only", "HEAD").splitlines()
    wanted = [
        name for name in listed if name.endswith(".go") and not name.endswith("_test.go") and "vendor/" not in name
    ]
    return "\n".join(_git(repository, "show", f"HEAD:{name}") for name in wanted if name.startswith("baiducloud/"))


def _git(repository: str, *words: str) -> str:
    done = subprocess.run(["git", "-C", repository, *words], capture_output=True, text=True, check=True)  # noqa: S603, S607
    return done.stdout


def arguments(source: str, resource: str) -> Iterator[Argument]:
    """Every argument that a program can give, in the order of the source; ValueError when the resource is not found."""
    maker = re.search(rf'"baiducloud_{resource}":\s*([\w.]+)\(\)', source)
    if maker is None:
        raise ValueError(f"baiducloud_{resource} is not registered")
    yield from _fields(source, _body(source, maker[1]), "", 0)


def _body(source: str, function: str) -> str:
    """The schema map of a function."""
    name = function.rpartition(".")[2]
    found = re.search(rf"func {name}\([^)]*\)[^{{]*{{", source)
    if found is None:
        raise ValueError(f"{function} is not found")
    whole = _braced(source, found.end() - 1)
    return _braced(whole, whole.index(MAP) + len(MAP) - 1) if MAP in whole else whole


def _braced(text: str, start: int) -> str:
    """What stands between the brace at `start` and the one that closes it."""
    depth, position, quote = 0, start, ""
    while position < len(text):
        letter = text[position]
        if quote:
            position += letter == "\\" and quote == '"'
            quote = "" if letter == quote else quote
        elif letter in {'"', "`"}:
            quote = letter
        elif text.startswith("//", position):
            position = text.index("\n", position)
        elif letter == "{":
            depth += 1
        elif letter == "}":
            depth -= 1
            if not depth:
                return text[start + 1 : position]
        position += 1
    raise ValueError("a brace is not closed")


def _fields(source: str, body: str, prefix: str, depth: int) -> Iterator[Argument]:
    position = 0
    while depth < DEEPEST and (found := re.compile(r'"(\w+)":\s*').search(body, position)):
        rest = body[found.end() :]
        call = re.match(r"([\w.]+)\(\)", rest)
        if call:
            told, position = _body(source, call[1]), found.end() + call.end()
        else:
            told = _braced(body, body.index("{", found.end()))
            position = body.index("{", found.end()) + len(told) + 2
        own = told[: told.index(MAP)] if MAP in told else told
        if "Required:" not in told and "Optional:" not in told:
            continue  # the cloud says it
        path = f"{prefix}{found[1]}"
        kind = re.search(r"schema\.Type(\w+)", told)
        maker = re.search(r"Elem:\s*([\w.]+)\(\)", told)
        single = re.search(r"MaxItems:\s*1\b", told.replace(_nested(told), "")) is not None
        required = re.search(r"Required:\s*true", told.replace(_nested(told), "")) is not None
        yield Argument(path=path, kind=kind[1].lower() if kind else "", required=required, single=single)
        if MAP in told and own is not told:
            yield from _fields(source, _nested(told), f"{path}.", depth + 1)
        elif maker:
            yield from _fields(source, _body(source, maker[1]), f"{path}.", depth + 1)


def _nested(told: str) -> str:
    """The schema map of a block within an argument; empty without one."""
    return _braced(told, told.index(MAP) + len(MAP) - 1) if MAP in told else ""


def main(repository: str) -> None:
    """Writes the table to standard output."""
    source = read_source(repository)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(("resource", "path", "kind", "required", "single"))
    for resource in RESOURCES:
        for row in arguments(source, resource):
            told = ("yes" if flag else "no" for flag in (row.required, row.single))
            writer.writerow((resource, row.path, row.kind, *told))


if __name__ == "__main__":
    main(sys.argv[1])
