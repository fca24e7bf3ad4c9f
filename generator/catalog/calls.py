"""How a call to a cloud's API is made: patiently where it throttles, and with a message that holds no secret."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec

from generator.errors import InputError, Problem

ATTEMPTS = 6
FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 20.0
TIMEOUT_S = 30.0

Answer = TypeVar("Answer")


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """Why a call failed: the cloud's own code and the id of the request, never its message, which may quote a key."""

    kind: Literal["throttled", "denied", "credentials", "unreachable", "other"]
    code: str
    request_id: str = ""


class Service(msgspec.Struct, frozen=True, kw_only=True):
    """What the calls to one cloud have in common: the SDK's exceptions, what they mean, where credentials come from."""

    errors: tuple[type[Exception], ...]
    read_fault: Callable[[Exception], Fault]
    credentials: str
    tell: Callable[[str], None]


HINTS = {
    "throttled": "wait some minutes, or read fewer regions at once with --region",
    "denied": "let these credentials make the call: a policy that only reads is enough",
    "unreachable": "see that this machine reaches the cloud's API (proxy, --endpoint)",
    "other": "the cloud's error reference explains the code",
}
WORDS = {
    "throttled": f"the cloud still throttles after {ATTEMPTS} tries",
    "denied": "the cloud denies access",
    "credentials": "there are no valid credentials",
    "unreachable": "the cloud's API cannot be reached",
    "other": "the cloud refuses the call",
}


def call(service: Service, name: str, ask: Callable[[], Answer]) -> Answer:
    """The answer of one call; throttled ones are made again after a random wait that grows twofold up to a bound.

    InputError, which names the call and the cloud's error code, when it fails or throttles to the end.
    """
    for attempt in range(ATTEMPTS):
        try:
            return ask()
        except service.errors as error:
            fault = service.read_fault(error)
        if fault.kind != "throttled" or attempt == ATTEMPTS - 1:
            break
        wait_s = wait(attempt)
        service.tell(f"{name}: throttled, again in {wait_s:.1f} s")
        time.sleep(wait_s)
    raise InputError(problem(service, name, fault))


def wait(attempt: int) -> float:
    """Seconds to wait after the attempt of this number (from 0): half of the growing bound, and a random half."""
    bound_s = min(LONGEST_WAIT_S, FIRST_WAIT_S * float(1 << attempt))
    return bound_s / 2 + random.SystemRandom().uniform(0, bound_s / 2)


def problem(service: Service, name: str, fault: Fault) -> Problem:
    """What a person is told of a failed call."""
    told = [part for part in (_safe(fault.code), _safe(fault.request_id, "request ")) if part]
    which = f" ({', '.join(told)})" if told else ""
    message = f"{name}: {WORDS[fault.kind]}{which}; nothing was changed"
    hint = service.credentials if fault.kind == "credentials" else HINTS[fault.kind]
    return Problem(message=message, hint=hint)


def _safe(text: str, before: str = "") -> str:
    """A code or an id as it may be shown: of letters, digits, dots and dashes, and not too long."""
    return f"{before}{text}" if re.fullmatch(r"[\w.\-]{1,80}", text) else ""
