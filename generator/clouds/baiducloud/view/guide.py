"""What the stack's README says that only this cloud knows, and what is kept from a destroy."""

from __future__ import annotations

import msgspec

from generator.clouds.baiducloud.view.compute import joins_ehc, stops
from generator.clouds.baiducloud.view.names import dashed
from generator.stack.blueprint import Blueprint, public
from generator.stack.storage import BUCKETS, RAW_PREFIX, access, bucket_choices, disk_choice, disks_hold_copies
from generator.stack.view import Kept

BUCKET, DISK = "baiducloud:index/bosBucket:BosBucket", "baiducloud:index/cds:Cds"


class Guide(msgspec.Struct, frozen=True, kw_only=True):
    """The names of guide.md.jinja. `rights`: what the role may do, bucket by bucket, () where nodes need none."""

    region: str
    instance_type: str
    name: str
    spot: bool
    stand_in: bool
    ehc: bool
    public: bool
    rights: tuple[str, ...]
    raw_prefix: str | None
    copy_from: str | None
    hours: str | None
    start: str
    stop: str
    ends: bool
    meets: bool


def guide_view(blueprint: Blueprint) -> Guide:
    """Which of the cloud's sections the README needs."""
    raw = any(choice.role == "raw" for choice in bucket_choices(blueprint))
    nodes, schedule = blueprint.nodes, blueprint.schedule
    return Guide(
        region=blueprint.candidate.offer.region,
        instance_type=blueprint.candidate.type.id,
        name=dashed(blueprint.name),
        spot=nodes.pool,
        stand_in=nodes.pool and nodes.count == 1 and nodes.on_demand > 0,
        ehc=joins_ehc(blueprint),
        public=public(blueprint),
        rights=_rights(blueprint),
        raw_prefix=RAW_PREFIX if raw else None,
        copy_from=blueprint.data.copy_from,
        hours=f"{schedule.days} {schedule.start} to {schedule.stop} ({schedule.timezone})"
        if schedule and stops(blueprint)
        else None,
        start=_cron(schedule.days, schedule.start) if schedule else "",
        stop=_cron(schedule.days, schedule.stop) if schedule else "",
        ends=blueprint.release,
        meets=nodes.meets,
    )


def _rights(blueprint: Blueprint) -> tuple[str, ...]:
    """Each bucket with what nodes do in it, in words."""
    ours = {constant: word for word, (_, constant) in BUCKETS.items()}
    own = {
        "DATA_BUCKET": blueprint.data.bucket,
        "CHECKPOINT_BUCKET": blueprint.checkpoints.bucket if blueprint.checkpoints else None,
    }
    found = []
    for one in access(blueprint):
        name = own.get(one.constant) or f"{dashed(blueprint.name)}-{ours[one.constant]}-SUFFIX"
        found.append(f"{name}/{one.prefix}*: {'READ, WRITE and LIST' if one.writes else 'READ and LIST'}")
    return tuple(found)


def _cron(days: str, clock: str) -> str:
    hour, minute = (int(part) for part in clock.split(":"))
    return f"{minute} {hour} * * {days}"


def kept(blueprint: Blueprint) -> tuple[Kept, ...]:
    """What is protected: data that a destroy must not take along."""
    roles = {"ckpt": "checkpoints", "raw": "the data set", "archive": "results"}
    found = [
        Kept(what=f"the bucket of {roles[choice.role]}", resource=BUCKETS[choice.role][0], type=BUCKET)
        for choice in bucket_choices(blueprint)
    ]
    if disk_choice(blueprint) and not blueprint.nodes.pool and not disks_hold_copies(blueprint):
        ranks = range(blueprint.nodes.count + blueprint.nodes.spare)
        found += [Kept(what=f"the data disk of node {rank}", resource=f"data-{rank}", type=DISK) for rank in ranks]
    return tuple(found)
