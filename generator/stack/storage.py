"""Which buckets, disks and file system a stack has, what lies where in them, and who may touch it, on any cloud."""

from __future__ import annotations

import msgspec

from generator.selection.storage_choice import StorageChoice
from generator.stack.blueprint import Blueprint

# Days after which nobody resumes from a checkpoint, or reads raw data, often enough for the first class (ST006).
COOL_DOWN = {"ckpt": (30, 90), "raw": (60, 180), "archive": (30, 60)}
# Python name, and constant of settings.py that holds the bucket's own name.
BUCKETS = {
    "ckpt": ("checkpoints", "CHECKPOINT_BUCKET"),
    "raw": ("raw", "RAW_BUCKET"),
    "archive": ("archive", "ARCHIVE_BUCKET"),
}
BUCKET_USES = {
    "ckpt": "checkpoints, which must outlive the nodes",
    "raw": "the data set, staged in from here",
    "archive": "what the job hands on",
}
RAW_PREFIX = "dataset/"  # where people put the data set in its bucket
RESULTS_PREFIX = "results/"  # where preprocessing nodes leave what they make
COLD_PREFIX = {"ckpt": "checkpoints/", "raw": RAW_PREFIX, "archive": RESULTS_PREFIX}
SNAPSHOT_KEEP_DAYS = {"daily": 7, "weekly": 28}


class OwnBucket(msgspec.Struct, frozen=True, kw_only=True):
    """A bucket that the user already has: the constant of settings.py and its name."""

    constant: str
    bucket: str


class OurBucket(msgspec.Struct, frozen=True, kw_only=True):
    """A bucket of the stack: the constant of its name, and the word in the middle of it."""

    constant: str
    word: str


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """What nodes may do with the objects of one bucket below a prefix: read, and write where `writes`."""

    constant: str
    prefix: str
    writes: bool


class Url(msgspec.Struct, frozen=True, kw_only=True):
    """A variable of node.env that names a place in a bucket; `constant` None: it is empty."""

    key: str
    constant: str | None
    path: str


def bucket_choices(blueprint: Blueprint) -> tuple[StorageChoice, ...]:
    """The buckets that selection chose, and one for what is handed on when the job would have none to write to.

    `level` None: the cloud's first class.
    """
    chosen = tuple(choice for choice in blueprint.storage if choice.kind == "bucket")
    own = blueprint.checkpoints.bucket if blueprint.checkpoints else None
    if any(choice.role == "ckpt" for choice in chosen) or own:
        return chosen
    if blueprint.nodes.role == "prep":
        reason = "what the job makes, which must outlive the nodes"
    elif blueprint.nodes.elastic and shared_choice(blueprint) is None:
        reason = "where members of the pool find their leader"
    else:
        return chosen
    handed = StorageChoice(kind="bucket", role="archive", size_gib=1, level=None, mbps=None, reason=reason)
    return (*chosen, handed)


def buckets_title(blueprint: Blueprint) -> str:
    """What the buckets are for, in one line."""
    return (
        f"Buckets for {' and for '.join(BUCKET_USES[row.role] for row in bucket_choices(blueprint))}; none is public."
    )


def bucket_reason(choice: StorageChoice) -> str:
    """Why a bucket is there, and why it stays."""
    return f"{sentence(choice)} A destroy must not take it along, so it is protected."


def our_buckets(blueprint: Blueprint) -> tuple[OurBucket, ...]:
    """The buckets of the stack, by the constants that hold their names."""
    return tuple(OurBucket(constant=BUCKETS[row.role][1], word=row.role) for row in bucket_choices(blueprint))


def own_buckets(blueprint: Blueprint) -> tuple[OwnBucket, ...]:
    """The user's own buckets that the spec names, one constant each."""
    found = []
    if blueprint.data.bucket:
        found.append(OwnBucket(constant="DATA_BUCKET", bucket=blueprint.data.bucket))
    if blueprint.checkpoints and blueprint.checkpoints.bucket:
        found.append(OwnBucket(constant="CHECKPOINT_BUCKET", bucket=blueprint.checkpoints.bucket))
    return tuple(found)


def access(blueprint: Blueprint) -> tuple[Access, ...]:
    """Write access to the stack's buckets and to the checkpoint prefix; read access to where the data comes from."""
    found = [Access(constant=bucket.constant, prefix="", writes=True) for bucket in our_buckets(blueprint)]
    if blueprint.data.bucket:
        found.append(Access(constant="DATA_BUCKET", prefix=blueprint.data.prefix, writes=False))
    if blueprint.checkpoints and blueprint.checkpoints.bucket:
        found.append(Access(constant="CHECKPOINT_BUCKET", prefix=blueprint.checkpoints.prefix, writes=True))
    return tuple(found)


def rights_text(blueprint: Blueprint, *, looks_up: bool) -> str:
    """What nodes may, in a sentence; `looks_up`: they ask the cloud for their file system's address."""
    granted = access(blueprint)
    rights = (
        ("write to the job's buckets", any(one.writes for one in granted)),
        ("read where the data comes from", any(not one.writes for one in granted)),
        ("ask for the file system's address", looks_up),
    )
    return f"What nodes may: {', '.join(text for text, wanted in rights if wanted)}; and nothing else."


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


def urls(blueprint: Blueprint) -> tuple[Url, ...]:
    """Where the data set comes from, where checkpoints go, and where a pool without a file system keeps its leader."""
    data, checkpoints, bucket = blueprint.data, blueprint.checkpoints, master_bucket(blueprint)
    raw = any(choice.role == "raw" for choice in bucket_choices(blueprint))
    source, path = ("DATA_BUCKET", data.prefix) if data.bucket else ("RAW_BUCKET" if raw else None, RAW_PREFIX)
    url = Url(key="DATA_SOURCE", constant=source, path=f"/{path}" if source else "")
    if data.place == "bucket":  # nothing is staged: the job reads the bucket itself
        found = [Url(key="DATA_SOURCE", constant=None, path=""), msgspec.structs.replace(url, key="TRAINFORM_DATA_URL")]
    else:
        found = [url]
    if checkpoints:
        copied = bucket if checkpoints.to == "bucket" else None
        path = f"/{checkpoint_path(blueprint)}" if copied else ""
        found.append(Url(key="CHECKPOINT_URL", constant=copied, path=path))
    if blueprint.nodes.role == "prep":
        found.append(Url(key="RESULTS_URL", constant=bucket, path=f"/{RESULTS_PREFIX.rstrip('/')}"))
    if blueprint.nodes.elastic:
        kept = None if shared_choice(blueprint) else bucket
        found.append(Url(key="LEAD_URL", constant=kept, path="/trainform/lead" if kept else ""))
    return tuple(found)


def data_settings(blueprint: Blueprint) -> tuple[tuple[str, str], ...]:
    """Whether nodes share the data set's place, or the data set; how many checkpoints stay. URLs stand in node.env."""
    data, checkpoints = blueprint.data, blueprint.checkpoints
    split = blueprint.nodes.role == "prep" and blueprint.nodes.count > 1 and data.place == "disk"
    told = [
        ("DATA_SHARED", "yes" if data.place in {"file_system", "nas"} else "no"),
        ("DATA_SPLIT", "yes" if split else "no"),
    ]
    if checkpoints:
        told.append(("CHECKPOINT_KEEP", str(checkpoints.keep)))
    if blueprint.nodes.elastic:
        told.append(("LEAD_FILE", "/shared/lead" if shared_choice(blueprint) else "/run/trainform-lead"))
    return tuple(told)


def shared_choice(blueprint: Blueprint) -> StorageChoice | None:
    """The shared file system, parallel or NAS."""
    return blueprint.stored("file_system") or blueprint.stored("nas")


def disk_choice(blueprint: Blueprint) -> StorageChoice | None:
    """The data disk of a node, for data, cache or checkpoints."""
    return blueprint.stored("disk", "data", "cache", "ckpt")


def disks_hold_copies(blueprint: Blueprint) -> bool:
    """True when data disks hold only what is staged in again (a cache, a served model): nothing protects them."""
    choice = disk_choice(blueprint)
    return choice is not None and (choice.role == "cache" or blueprint.nodes.role == "infer")


def system_choice(blueprint: Blueprint) -> StorageChoice:
    """The system disk of a node, which selection gives to every one."""
    choice = blueprint.stored("disk", "system")
    assert choice is not None, "selection gives every node a system disk"
    return choice


def snapshots_title(blueprint: Blueprint) -> str:
    """How often snapshots are taken, how long they stay, and what a broken upgrade then costs."""
    lost = "a day" if blueprint.snapshots == "daily" else "a week"
    keep = SNAPSHOT_KEEP_DAYS[blueprint.snapshots]
    return f"Snapshots {blueprint.snapshots}, kept {keep} days: a broken upgrade costs {lost}, no more (ST005)."


def sentence(choice: StorageChoice) -> str:
    """Selection's reason as a sentence."""
    return f"{choice.reason[:1].upper()}{choice.reason[1:].rstrip('.')}."
