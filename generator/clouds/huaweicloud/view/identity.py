"""The key pair, the key of encryption, and the agency of the nodes: what they may, and no more."""

from __future__ import annotations

import msgspec

from generator.clouds.huaweicloud.view.storage import disks_view
from generator.stack.blueprint import Blueprint
from generator.stack.groups import attaches_disk
from generator.stack.storage import access, rights_text, shared_choice

READ = ("obs:object:GetObject",)
WRITE = (
    *READ,
    "obs:object:PutObject",
    "obs:object:DeleteObject",
    "obs:object:ListMultipartUploadParts",
    "obs:object:AbortMultipartUpload",
)
# The figures that alarms are made of (AOM), the file system's address (SFS Turbo), and yesterday's disk (EVS, ECS).
REPORT = ("aom:metric:put",)
LOOKUPS = ("sfsturbo:shares:getAllShares",)
ATTACH = ("evs:volumes:list", "evs:volumes:use", "ecs:cloudServers:attach")


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What nodes may do with the objects of one bucket below a prefix."""

    constant: str
    prefix: str
    writes: bool


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The names of identity.py.jinja. `calls`: what nodes may ask of the region's services."""

    imports: tuple[str, ...]
    region: str
    ssh_key: bool
    grants: tuple[Grant, ...]
    listed: tuple[str, ...]
    read: tuple[str, ...]
    write: tuple[str, ...]
    calls: tuple[str, ...]
    reason: str


class Encryption(msgspec.Struct, frozen=True, kw_only=True):
    """The names of encryption.py.jinja. `lasts`: something that it has encrypted stays after a destroy."""

    lasts: bool


def identity_view(blueprint: Blueprint) -> Identity:
    """Write access to the stack's buckets and to the checkpoint prefix; read access to where the data comes from."""
    granted = access(blueprint)
    grants = tuple(Grant(constant=one.constant, prefix=one.prefix, writes=one.writes) for one in granted)
    listed = tuple(dict.fromkeys(grant.constant for grant in grants))
    mounts = shared_choice(blueprint) is not None
    imports = {"NAME", *listed} | ({"SSH_PUBLIC_KEY"} if blueprint.network.ssh else set())
    return Identity(
        imports=tuple(sorted(imports)),
        region=blueprint.candidate.offer.region,
        ssh_key=blueprint.network.ssh,
        grants=grants,
        listed=listed,
        read=READ if any(not grant.writes for grant in grants) else (),
        write=WRITE if any(grant.writes for grant in grants) else (),
        calls=(*REPORT, *(LOOKUPS if mounts else ()), *(ATTACH if attaches_disk(blueprint) else ())),
        reason=rights_text(blueprint, looks_up=mounts) if grants else "",
    )


def encryption_view(blueprint: Blueprint) -> Encryption:
    """One key for disks and the file system; a key that is gone takes all that it encrypted with it."""
    disks = disks_view(blueprint)
    return Encryption(lasts=(disks is not None and not disks.copies) or shared_choice(blueprint) is not None)
