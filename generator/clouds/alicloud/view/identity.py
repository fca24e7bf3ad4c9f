"""The key pair and the role of the nodes: which buckets they may read and write, and no more."""

from __future__ import annotations

import msgspec

from generator.stack.blueprint import Blueprint
from generator.stack.storage import access, rights_text, shared_choice

WRITE = ("oss:GetObject", "oss:PutObject", "oss:DeleteObject", "oss:AbortMultipartUpload")
READ = ("oss:GetObject",)
LOOKUPS = ("nas:DescribeFileSystems", "nas:DescribeMountTargets", "nas:DescribeProtocolMountTarget")


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What nodes may do with the objects of one bucket below a prefix."""

    constant: str
    prefix: str
    actions: tuple[str, ...]


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The names of identity.py.jinja."""

    imports: tuple[str, ...]
    ssh_key: bool
    grants: tuple[Grant, ...]
    listed: tuple[str, ...]
    lookups: tuple[str, ...]  # how nodes find the address of their file system
    reason: str


def identity_view(blueprint: Blueprint) -> Identity:
    """Write access to the stack's buckets and to the checkpoint prefix; read access to where the data comes from."""
    grants = tuple(
        Grant(constant=one.constant, prefix=one.prefix, actions=WRITE if one.writes else READ)
        for one in access(blueprint)
    )
    listed = tuple(dict.fromkeys(grant.constant for grant in grants))
    mounts = shared_choice(blueprint) is not None
    imports = {"NAME", *listed} | ({"JOB", "SSH_PUBLIC_KEY"} if blueprint.network.ssh else set())
    return Identity(
        imports=tuple(sorted(imports)),
        ssh_key=blueprint.network.ssh,
        grants=grants,
        listed=listed,
        lookups=LOOKUPS if mounts else (),
        reason=rights_text(blueprint, looks_up=mounts),
    )
