"""The key pair and the role of the nodes: which buckets they may read and write, and no more."""

from __future__ import annotations

import msgspec

from generator.clouds.tencentcloud.view.names import key_name
from generator.stack.blueprint import Blueprint
from generator.stack.groups import attaches_disk
from generator.stack.storage import access, rights_text, shared_choice

READ = ("name/cos:GetObject", "name/cos:HeadObject")
WRITE = (
    *READ,
    "name/cos:PutObject",
    "name/cos:DeleteObject",
    "name/cos:InitiateMultipartUpload",
    "name/cos:UploadPart",
    "name/cos:ListParts",
    "name/cos:CompleteMultipartUpload",
    "name/cos:AbortMultipartUpload",
)
LOOKUPS = ("name/cfs:DescribeCfsFileSystems", "name/cfs:DescribeMountTargets")


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What nodes may do with the objects of one bucket below a prefix."""

    constant: str
    prefix: str
    writes: bool


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The names of identity.py.jinja. `attaches`: nodes take the data disk that outlives them by themselves."""

    imports: tuple[str, ...]
    ssh_key: bool
    key_name: str
    grants: tuple[Grant, ...]
    listed: tuple[str, ...]
    read: tuple[str, ...]  # API actions that the grants need
    write: tuple[str, ...]
    lookups: tuple[str, ...]  # how nodes find the address of their file system
    attaches: bool
    reason: str


def identity_view(blueprint: Blueprint) -> Identity:
    """Write access to the stack's buckets and to the checkpoint prefix; read access to where the data comes from."""
    granted = access(blueprint)
    grants = tuple(Grant(constant=one.constant, prefix=one.prefix, writes=one.writes) for one in granted)
    listed = tuple(dict.fromkeys(grant.constant for grant in grants))
    mounts, attaches = shared_choice(blueprint) is not None, attaches_disk(blueprint)
    imports = {"JOB", "NAME", *listed} | ({"SSH_PUBLIC_KEY"} if blueprint.network.ssh else set())
    return Identity(
        imports=tuple(sorted(imports)),
        ssh_key=blueprint.network.ssh,
        key_name=key_name(blueprint.name),
        grants=grants,
        listed=listed,
        read=READ if any(not grant.writes for grant in grants) else (),
        write=WRITE if any(grant.writes for grant in grants) else (),
        lookups=LOOKUPS if mounts else (),
        attaches=attaches,
        reason=rights_text(blueprint, looks_up=mounts),
    )
