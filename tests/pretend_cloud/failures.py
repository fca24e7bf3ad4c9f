"""What a test may tell the pretend cloud to do wrong, and the words in which it refuses."""

from typing import Any

import msgspec

from tests.pretend_cloud.paths import find

# How the clouds put it; the cure is in docs/troubleshooting.md under the same code.
REFUSALS = {
    "no_stock": ("OperationDenied.NoStock", "the requested resource is sold out in the zone"),
    "quota": ("QuotaExceed.ElasticQuota", "the number of vCPUs of this account in the region is used up"),
    "throttling": ("Throttling.User", "request was denied due to user flow control"),
}
CRASHES = ("crash_before", "crash_after")  # the plugin dies before, or after, the cloud has done what was asked
KINDS = (*REFUSALS, *CRASHES, "slow")


class RefusedError(Exception):
    """The pretend cloud says no: `code` as a cloud's API would give it, and a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """One failure to come: on which call (create, update, delete) of which type, with which inputs, how often."""

    kind: str
    type: str
    call: str = "create"
    where: dict[str, Any] = {}
    times: int = 1
    seconds: float = 0

    def strikes(self, call: str, type_: str, inputs: dict[str, Any]) -> bool:
        """Whether this failure is meant for this call."""
        if (call, type_) != (self.call, self.type) or not self.times:
            return False
        return all(value in [found for _, _, found in find(inputs, path)] for path, value in self.where.items())
