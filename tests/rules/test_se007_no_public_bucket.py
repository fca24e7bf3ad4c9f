"""SE007: no bucket is public."""

import json

import pytest

from generator.program.values import UNKNOWN
from tests.rules.drafts import Draft

BUCKET, ACL = "oss/bucket:Bucket", "oss/bucketAcl:BucketAcl"
BLOCK, POLICY = "oss/bucketPublicAccessBlock:BucketPublicAccessBlock", "oss/bucketPolicy:BucketPolicy"


def allowing(principal: str, **more: object) -> str:
    """A bucket policy for this principal."""
    statement = {"Effect": "Allow", "Principal": [principal], "Action": ["oss:GetObject"], "Resource": ["*"]}
    return json.dumps({"Version": "1", "Statement": [statement | more]})


@pytest.mark.parametrize(
    ("acl", "verdicts"),
    [("private", []), (None, []), ("public-read", ["deny"]), ("public-read-write", ["deny"]), (UNKNOWN, ["unknown"])],
)
@pytest.mark.parametrize("apart", [False, True])
def test_access_list(acl: object, verdicts: list[str], apart: bool) -> None:
    """The access list counts on the bucket and as a resource of its own."""
    draft = Draft()
    bucket = draft.add(BUCKET, "bucket", acl=None if apart else acl)
    if apart:
        draft.add(ACL, "acl", bucket=bucket, acl=acl)
    assert [verdict for verdict, _ in draft.verdicts("SE007")] == verdicts


@pytest.mark.parametrize(
    ("policy", "verdicts"),
    [
        (allowing("*"), ["deny"]),
        (allowing("1234567890"), []),
        (allowing("*", Effect="Deny"), []),
        (allowing("*", Condition={"IpAddress": {"acs:SourceIp": ["10.0.0.0/8"]}}), []),
        ("{broken", []),
        (UNKNOWN, ["unknown"]),
    ],
)
def test_policy(policy: object, verdicts: list[str]) -> None:
    """A policy that allows something to everybody, without a condition, makes it public."""
    draft = Draft()
    draft.add(POLICY, "policy", bucket=draft.add(BUCKET, "bucket"), policy=policy)
    assert [verdict for verdict, _ in draft.verdicts("SE007")] == verdicts


def test_block() -> None:
    """A block on public access stands against both; one on another bucket does not."""
    draft = Draft()
    bucket, other = draft.add(BUCKET, "bucket", acl="public-read"), draft.add(BUCKET, "other")
    draft.add(BLOCK, "other", bucket=other, blockPublicAccess=True)
    assert draft.verdicts("SE007") == [("deny", "bucket")]
    draft.add(BLOCK, "bucket", bucket=bucket, blockPublicAccess=True)
    assert draft.verdicts("SE007") == []
