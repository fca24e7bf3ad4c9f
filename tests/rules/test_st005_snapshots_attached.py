"""ST005: snapshots are attached to the very disks that must last."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import (
    DISK,
    DISK_ATTACHMENT,
    OLD_DISK,
    POLICY,
    POLICY_ATTACHMENT,
    TRAIN,
    Draft,
    node,
    pool,
)


def test_bare_system_disk() -> None:
    """A system disk without a policy is a warning."""
    draft = Draft()
    node(draft)
    assert draft.verdicts("ST005") == [("warn", "node")]


@pytest.mark.parametrize("policy", ["sp-123", None])
def test_attached_system_disk(policy: str | None) -> None:
    """A policy of this stack, or a literal id of another, is attached."""
    draft = Draft()
    node(draft, systemDiskAutoSnapshotPolicyId=policy or draft.add(POLICY, "daily"))
    assert draft.verdicts("ST005") == []


def test_unknown_policy() -> None:
    """A policy id that is nobody knows what is unknown."""
    draft = Draft()
    node(draft, systemDiskAutoSnapshotPolicyId=UNKNOWN)
    assert draft.verdicts("ST005") == [("unknown", "node")]


@pytest.mark.parametrize("kind", [DISK, OLD_DISK])
def test_attached_to_another_disk(kind: str) -> None:
    """A policy that is attached to another disk does not pass this one."""
    draft = Draft()
    daily = draft.add(POLICY, "daily")
    machine = node(draft, systemDiskAutoSnapshotPolicyId=daily)
    mine = draft.add(kind, "mine", category="cloud_essd")
    other = draft.add(kind, "other", category="cloud_essd")
    draft.add(DISK_ATTACHMENT, "mine", diskId=mine, instanceId=machine)
    draft.add(DISK_ATTACHMENT, "other", diskId=other, instanceId=machine)
    draft.add(POLICY_ATTACHMENT, "other", diskId=other, autoSnapshotPolicyId=daily)
    assert draft.verdicts("ST005") == [("warn", "mine")]


def test_attachment_to_an_unknown_disk() -> None:
    """An attachment whose disk nobody knows passes no disk, and none is denied by it: unknown."""
    draft = Draft()
    daily = draft.add(POLICY, "daily")
    machine = node(draft, systemDiskAutoSnapshotPolicyId=daily)
    disk = draft.add(DISK, "disk", category="cloud_essd")
    draft.add(DISK_ATTACHMENT, "disk", diskId=disk, instanceId=machine)
    draft.add(POLICY_ATTACHMENT, "which", diskId=UNKNOWN, autoSnapshotPolicyId=daily)
    assert draft.verdicts("ST005") == [("unknown", "disk")]


def test_nested_disk() -> None:
    """A nested data disk names its policy itself."""
    draft = Draft()
    daily = draft.add(POLICY, "daily")
    node(
        draft,
        systemDiskAutoSnapshotPolicyId=daily,
        dataDisks=[{"category": "cloud_essd", "autoSnapshotPolicyId": daily}, {"category": "cloud_essd"}],
    )
    assert [entry.property for entry in draft.findings("ST005")] == ["dataDisks[1].autoSnapshotPolicyId"]


def test_untagged_machine_asks_once() -> None:
    """A machine with cards and no role is unknown once, however many disks it has."""
    draft = Draft()
    node(draft, tags={}, dataDisks=[{"category": "cloud_essd"}, {"category": "cloud_essd"}])
    assert draft.verdicts("ST005") == [("unknown", "node")]


def test_not_judged() -> None:
    """Serving machines, pool members, ephemeral disks and caches need none."""
    draft = Draft()
    node(draft, "serving", tags={"trainform-role": "infer"})
    pool(draft)
    node(
        draft,
        "ephemeral",
        systemDiskCategory="ephemeral_ssd",
        dataDisks=[{"category": "elastic_ephemeral_disk_premium"}],
    )
    machine = node(draft, "cached", systemDiskAutoSnapshotPolicyId="sp-1")
    cache = draft.add(DISK, "cache", category="cloud_essd", tags=TRAIN | {"trainform-role": "cache"})
    draft.add(DISK_ATTACHMENT, "cache", diskId=cache, instanceId=machine)
    assert draft.verdicts("ST005") == []
