"""ST004: training reads from fast shared storage."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import TRAIN, Draft, node

FILE_SYSTEM = "nas/fileSystem:FileSystem"
MOUNT = "#!/bin/bash\nossfs bucket /mnt/data -ourl=https://oss-cn-beijing-internal.aliyuncs.com\n"


@pytest.mark.parametrize(
    ("product", "level", "verdicts"),
    [
        ("standard", "Capacity", ["warn"]),
        (None, "Capacity", ["warn"]),
        ("standard", "Performance", []),
        ("extreme", "advance", []),
        ("cpfs", "advance_200", []),
    ],
)
def test_class_of_the_store(product: str | None, level: str, verdicts: list[str]) -> None:
    """A capacity class is a warning in a stack that trains, also when the product is the default."""
    draft = Draft()
    node(draft)
    draft.add(FILE_SYSTEM, "data", fileSystemType=product, storageType=level)
    assert [verdict for verdict, _ in draft.verdicts("ST004")] == verdicts


def test_only_what_is_read() -> None:
    """An archive may be slow, and so may the store of a stack that serves."""
    draft = Draft()
    node(draft)
    draft.add(FILE_SYSTEM, "old", storageType="Capacity", tags={"trainform-role": "archive"})
    assert draft.verdicts("ST004") == []
    serving = Draft()
    node(serving, tags={"trainform-role": "infer"})
    serving.add(FILE_SYSTEM, "data", storageType="Capacity")
    assert serving.verdicts("ST004") == []


@pytest.mark.parametrize(("nodes", "verdicts"), [("1", []), ("2", ["warn"])])
def test_mounted_bucket(nodes: str, verdicts: list[str]) -> None:
    """A bucket mounted as a file system is for one machine at most."""
    draft = Draft()
    node(draft, userData=MOUNT, tags=TRAIN | {"trainform-nodes": nodes})
    assert [verdict for verdict, _ in draft.verdicts("ST004")] == verdicts


def test_untagged_and_unknown() -> None:
    """Without a role it is unknown; user data that nobody sees prove nothing."""
    draft = Draft()
    node(draft, tags={}, userData=MOUNT)
    assert draft.verdicts("ST004") == [("unknown", "node")]
    unseen = Draft()
    node(unseen, userData=UNKNOWN, tags=TRAIN | {"trainform-nodes": "2"})
    assert unseen.verdicts("ST004") == []
