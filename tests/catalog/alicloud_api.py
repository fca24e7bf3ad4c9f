"""Alibaba Cloud's ECS API of 2014-05-26 on the loopback: answers written after its public pages (api.aliyun.com)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.catalog.recorded_api import Answer, Request

ANSWERS = Path(__file__).parent.parent / "data" / "refresh" / "alicloud"
KEYS = {"ALIBABA_CLOUD_ACCESS_KEY_ID": "planted-key-id", "ALIBABA_CLOUD_ACCESS_KEY_SECRET": "planted-key-secret"}


def recorded(name: str) -> Any:
    return json.loads((ANSWERS / f"{name}.json").read_text(encoding="utf-8"))


def action(request: Request) -> str:
    return request.query.get("Action") or request.headers.get("x-acs-action", "")


def answer(request: Request) -> Answer:
    """The recorded answer to a call: three pages of types, one of zones, a price for all types but one."""
    name = action(request)
    if name == "DescribeInstanceTypes":
        token = request.query.get("NextToken", "page-1")
        return 200, recorded(f"{name}-{token.removeprefix('page-')}")
    if name == "DescribePrice":
        kind = request.query["InstanceType"]
        if (ANSWERS / f"{name}-{kind}.json").exists():
            return 200, recorded(f"{name}-{kind}")
        return 404, recorded(f"{name}-error")
    return 200, recorded(name)


def fails(name: str, code: str, status: int, *, first: int = 0, times: int = 1000) -> Callable[[Request], Answer]:
    """The recorded answers, but `times` calls of an action after the `first` ones fail with this error code."""
    seen = []

    def reply(request: Request) -> Answer:
        if action(request) == name:
            seen.append(request)
            if first < len(seen) <= first + times:
                told = f"refused for {KEYS['ALIBABA_CLOUD_ACCESS_KEY_ID']} {KEYS['ALIBABA_CLOUD_ACCESS_KEY_SECRET']}"
                return status, {"RequestId": "00000000-0000-0000-0000-00000000000f", "Code": code, "Message": told}
        return answer(request)

    return reply
