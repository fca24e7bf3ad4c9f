"""SE008: a destroy does not take the data with it."""

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import Draft

BUCKET, FILE_SYSTEM = "oss/bucket:Bucket", "nas/fileSystem:FileSystem"


@pytest.mark.parametrize(
    ("forced", "protect", "verdicts"),
    [(True, False, ["warn"]), (True, True, []), (None, False, []), (False, False, []), (UNKNOWN, False, ["unknown"])],
)
def test_bucket(forced: object, protect: bool, verdicts: list[str]) -> None:
    """A bucket is lost only when the destroy would empty it and nothing protects it."""
    draft = Draft()
    draft.add(BUCKET, "it", protect=protect, forceDestroy=forced)
    assert [verdict for verdict, _ in draft.verdicts("SE008")] == verdicts


@pytest.mark.parametrize(
    ("protect", "role", "verdicts"),
    [(False, "data", ["warn"]), (False, None, ["warn"]), (True, "data", []), (False, "cache", [])],
)
def test_file_system(protect: bool, role: str | None, verdicts: list[str]) -> None:
    """A file system always goes with its data; a cache may."""
    draft = Draft()
    draft.add(FILE_SYSTEM, "it", protect=protect, tags={"trainform-role": role} if role else {})
    assert [verdict for verdict, _ in draft.verdicts("SE008")] == verdicts
