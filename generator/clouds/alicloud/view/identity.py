"""The key pair and the role of the nodes: which buckets they may read and write, and no more."""

from __future__ import annotations

import msgspec

from generator.blueprint import Blueprint
from generator.clouds.alicloud.view.storage import BUCKETS, bucket_choices, shared_choice

WRITE = ("oss:GetObject", "oss:PutObject", "oss:DeleteObject", "oss:AbortMultipartUpload")
READ = ("oss:GetObject",)
LOOKUPS = ("nas:DescribeFileSystems", "nas:DescribeMountTargets", "nas:DescribeProtocolMountTarget")


class OwnBucket(msgspec.Struct, frozen=True, kw_only=True):
    """A bucket that the user already has: the constant of settings.py and its name."""

    constant: str
    bucket: str


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


def own_buckets(blueprint: Blueprint) -> tuple[OwnBucket, ...]:
    """The user's own buckets that the spec names, one constant each."""
    found = []
    if blueprint.data.bucket:
        found.append(OwnBucket(constant="DATA_BUCKET", bucket=blueprint.data.bucket))
    if blueprint.checkpoints and blueprint.checkpoints.bucket:
        found.append(OwnBucket(constant="CHECKPOINT_BUCKET", bucket=blueprint.checkpoints.bucket))
    return tuple(found)


def identity_view(blueprint: Blueprint) -> Identity:
    """Write access to the stack's buckets and to the checkpoint prefix; read access to where the data comes from."""
    grants = [Grant(constant=BUCKETS[choice.role][1], prefix="", actions=WRITE) for choice in bucket_choices(blueprint)]
    if blueprint.data.bucket:
        grants.append(Grant(constant="DATA_BUCKET", prefix=blueprint.data.prefix, actions=READ))
    if blueprint.checkpoints and blueprint.checkpoints.bucket:
        grants.append(Grant(constant="CHECKPOINT_BUCKET", prefix=blueprint.checkpoints.prefix, actions=WRITE))
    listed = tuple(dict.fromkeys(grant.constant for grant in grants))
    written = any(grant.actions == WRITE for grant in grants)
    read = any(grant.actions == READ for grant in grants)
    mounts = shared_choice(blueprint) is not None
    rights = (
        ("write to the job's buckets", written),
        ("read where the data comes from", read),
        ("ask for the file system's address", mounts),
    )
    may = ", ".join(text for text, wanted in rights if wanted)
    imports = {"NAME", *listed} | ({"JOB", "SSH_PUBLIC_KEY"} if blueprint.network.ssh else set())
    return Identity(
        imports=tuple(sorted(imports)),
        ssh_key=blueprint.network.ssh,
        grants=tuple(grants),
        listed=listed,
        lookups=LOOKUPS if mounts else (),
        reason=f"What nodes may: {may}; and nothing else.",
    )


def master_bucket(blueprint: Blueprint) -> str | None:
    """The constant of the bucket that scripts on the nodes write to, checkpoints before raw data; None without any."""
    if blueprint.checkpoints and blueprint.checkpoints.bucket:
        return "CHECKPOINT_BUCKET"
    choices = sorted(bucket_choices(blueprint), key=lambda choice: choice.role != "ckpt")
    return BUCKETS[choices[0].role][1] if choices else None


def checkpoint_path(blueprint: Blueprint) -> str:
    """The prefix of checkpoints in that bucket, without a slash at its end."""
    own = blueprint.checkpoints is not None and blueprint.checkpoints.bucket is not None
    prefix = blueprint.checkpoints.prefix if blueprint.checkpoints and own else "checkpoints/"
    return prefix.rstrip("/")
