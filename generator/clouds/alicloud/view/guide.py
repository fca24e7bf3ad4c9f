"""What the stack's README says that only this cloud knows, and what is kept from a destroy."""

from __future__ import annotations

import msgspec

from generator.clouds.alicloud.view.names import dashed
from generator.stack.blueprint import Blueprint
from generator.stack.storage import BUCKETS, RAW_PREFIX, bucket_choices, disk_choice, disks_hold_copies, shared_choice
from generator.stack.view import Kept

BUCKET, FILE_SYSTEM, DISK = (
    "alicloud:oss/bucket:Bucket",
    "alicloud:nas/fileSystem:FileSystem",
    "alicloud:ecs/ecsDisk:EcsDisk",
)


class Guide(msgspec.Struct, frozen=True, kw_only=True):
    """The names of guide.md.jinja."""

    region: str
    gpus: bool
    instance_type: str
    job: str
    name: str
    spot: bool
    public: bool
    uefi: bool
    raw_prefix: str | None
    email: bool
    pool_ends: bool
    scheduled: bool


def guide_view(blueprint: Blueprint) -> Guide:
    """Which of the cloud's sections the README needs."""
    raw = any(choice.role == "raw" for choice in bucket_choices(blueprint))
    return Guide(
        region=blueprint.candidate.offer.region,
        gpus=blueprint.candidate.type.gpus > 0,
        instance_type=blueprint.candidate.type.id,
        job=blueprint.name,
        name=dashed(blueprint.name),
        spot=blueprint.nodes.pool,
        public=blueprint.network.access == "public" and not blueprint.nodes.pool,
        uefi=blueprint.candidate.type.boot_mode == "UEFI",
        raw_prefix=RAW_PREFIX if raw else None,
        email=blueprint.alarms.email is not None,
        pool_ends=blueprint.nodes.pool and blueprint.release,
        scheduled=blueprint.schedule is not None,
    )


def kept(blueprint: Blueprint) -> tuple[Kept, ...]:
    """What is protected: data that a destroy must not take along."""
    roles = {"ckpt": "checkpoints", "raw": "the data set", "archive": "results"}
    found = [
        Kept(what=f"the bucket of {roles[choice.role]}", resource=BUCKETS[choice.role][0], type=BUCKET)
        for choice in bucket_choices(blueprint)
    ]
    if shared_choice(blueprint):
        found.append(Kept(what="the shared file system", resource="shared", type=FILE_SYSTEM))
    if disk_choice(blueprint) and not blueprint.nodes.pool and not disks_hold_copies(blueprint):
        ranks = range(blueprint.nodes.count + blueprint.nodes.spare)
        found += [Kept(what=f"the data disk of node {rank}", resource=f"data-{rank}", type=DISK) for rank in ranks]
    return tuple(found)
