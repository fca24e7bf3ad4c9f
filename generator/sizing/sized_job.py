"""What the words of every framework are made of: a sized job, and what is added to its command."""

from __future__ import annotations

import msgspec

from generator.sizing.estimate import Hardware, Layout
from generator.workload import Workload

CONFIG_FOLDER = "/etc/trainform"  # where a node finds the files; the same on every node


class Flags(msgspec.Struct, frozen=True, kw_only=True):
    """What to add to the command, to export, to write into CONFIG_FOLDER; `note` says what is left to the script."""

    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]
    note: str


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The four things that every framework's words are made of."""

    workload: Workload
    hardware: Hardware
    layout: Layout
    precision: str

    @property
    def half(self) -> str | None:
        """bf16 or fp16 where the job runs in 16 bits (fp8 keeps bf16 beside it), else None."""
        kind = self.precision.removesuffix("_pure")
        return {"bf16": "bf16", "fp16": "fp16", "fp8": "bf16"}.get(kind)

    @property
    def global_batch(self) -> int:
        """Samples of one optimizer step over all replicas."""
        return self.layout.micro_batch * self.layout.accumulation * self.layout.data


Words = tuple[str, ...]
Files = tuple[tuple[str, str], ...]
