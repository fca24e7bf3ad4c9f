"""ST010: an update replaces nothing that holds data.

What: the preview of an update replaces a disk, a file system or a bucket.
Why: the new one is empty, and the old one is deleted with all that it holds.
Cure: take the change back, or move the data first; the preview names the input that forces it. Protection stops it.
"""

from collections.abc import Iterator

from generator.facts import Bucket, Disk, Facts, FileSystem
from policies.ruling import Message, Ruling, deny

ID = "ST010"
SEVERITY = "deny"
TITLE = Message(en="an update replaces nothing that holds data", zh="更新不得替换存有数据的资源")
WHY = ("ours",)
SOURCE = "the engine's own step in `pulumi preview --json`"
NEEDS = ("Disk.standalone", "Bucket.role", "FileSystem.kind")
SUBJECT = (Disk, FileSystem, Bucket)

REPLACING = frozenset({"replace", "create-replacement", "delete-replaced", "import-replacement"})

LOST = Message(
    en="this update replaces it, and what it holds is lost{because}", zh="此次更新会替换它，数据将丢失{because}"
)


def check(facts: Facts) -> Iterator[Ruling]:
    """Judge the steps of an update; a first `up` has none of this kind."""
    holders = (*(disk for disk in facts.of(Disk) if disk.standalone), *facts.of(FileSystem), *facts.of(Bucket))
    for holder in holders:
        if holder.resource.op in REPLACING:
            keys = ", ".join(holder.resource.replace_keys)
            yield deny(holder, "replaced", LOST, "kept", because=f" ({keys})" if keys else "")
