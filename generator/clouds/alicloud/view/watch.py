"""Alarms: which metrics, which thresholds, and who is told."""

from __future__ import annotations

import msgspec

from generator.blueprint import Blueprint

# CloudMonitor metrics of acs_ecs_dashboard; thresholds are ours, from rules D0-66 and D2-61.
GPU_ALARMS = {
    "train": (
        ("gpu-idle", "gpu_gpu_usedutilization", "<", "30", 30, "Below 70 % means waiting for data or network; below 30 % for half an hour, nothing runs (MO002)."),
        ("gpu-memory-full", "gpu_memory_freeutilization", "<", "3", 5, "The next larger batch, or a leak, ends the job: told while it still runs."),
    ),
    "dev": (
        ("gpu-idle", "gpu_gpu_usedutilization", "<", "5", 120, "Two hours without work on a GPU that is paid by the hour (MO002)."),
        ("gpu-memory-full", "gpu_memory_freeutilization", "<", "3", 30, "A forgotten process holds the card."),
    ),
}
CPU_ALARMS = (
    ("cpu-idle", "cpu_total", "<", "20", 30, "Half an hour of idle cores: the job waits for its data, or has ended and is still paid for."),
    ("memory-full", "memory_usedutilization", ">", "95", 5, "The kernel will end a worker soon."),
)  # fmt: skip
WORDS = {"<": "LessThanThreshold", ">": "GreaterThanThreshold"}


class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """One rule: `minutes` of breach in a row before anyone is told."""

    name: str
    metric: str
    operator: str
    operator_word: str
    threshold: str
    minutes: int
    times: str
    reason: str


class Watch(msgspec.Struct, frozen=True, kw_only=True):
    """The names of watch.py.jinja."""

    title: str
    imports: tuple[str, ...]
    pool: bool
    email: str | None
    group: str | None
    alarms: tuple[Alarm, ...]


def watch_view(blueprint: Blueprint) -> Watch:
    """GPU alarms where there are GPUs, else those of a CPU node."""
    gpus = blueprint.candidate.type.gpus > 0
    rows = GPU_ALARMS.get(blueprint.nodes.role, GPU_ALARMS["train"]) if gpus else CPU_ALARMS
    receiver = blueprint.alarms
    imports = {"NAME"} | (set() if receiver.email or receiver.group else {"ALARM_CONTACT_GROUP"})
    imports |= {"JOB"} if blueprint.nodes.pool else set()
    return Watch(
        title="Alarms on the figures that cost money, and people who are told.",
        imports=tuple(sorted(imports)),
        pool=blueprint.nodes.pool,
        email=receiver.email,
        group=receiver.group,
        alarms=tuple(
            Alarm(
                name=name, metric=metric, operator=operator, operator_word=WORDS[operator], threshold=threshold,
                minutes=minutes, times=str(minutes), reason=reason,
            )
            for name, metric, operator, threshold, minutes, reason in rows
        ),
    )  # fmt: skip
