"""How sure sizing is of a job: the family it belongs to, and the measured rows and errors behind that family."""

from __future__ import annotations

import csv
import functools
from pathlib import Path

from generator.sizing.architecture import VisionModel
from generator.sizing.estimate import Accelerator, Accuracy
from generator.workload import Workload

TABLE = Path(__file__).with_name("accuracy.csv")
# Fewer measured rows than this validate nothing (the page and `size` then say "not validated").
LEAST_ROWS = 5


def family(workload: Workload, card: Accelerator | None = None) -> str:
    """The family that accuracy is stated for: the card's maker where it is not NVIDIA, else model, task and method."""
    model = workload.model
    if card is not None and card.vendor != "nvidia":
        return card.vendor
    if model is None:
        return "no model"
    if isinstance(model, VisionModel):
        return {"timm": "image classification", "yolo": "detection"}.get(model.family, model.family)
    if model.encoder_only:
        return "encoder"
    tuned = {"full": "llm full fine-tuning", "qlora": "llm qlora"}.get(workload.method, "llm lora")
    return {"infer": "llm inference", "pretrain": "llm pretraining"}.get(workload.task, tuned)


def accuracy(name: str) -> Accuracy:
    """Rows and mean errors of a family; errors are None under 5 rows, which is "not validated"."""
    return _table().get(name, Accuracy(family=name, rows=0, error=None))


def find_accuracy(workload: Workload, card: Accelerator | None = None) -> Accuracy:
    """How sure sizing is of this workload on this card."""
    return accuracy(family(workload, card))


@functools.cache
def _table() -> dict[str, Accuracy]:
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["family"]: _entry(row) for row in csv.DictReader(file)}


def _entry(row: dict[str, str]) -> Accuracy:
    rows, time_rows = int(row["rows"]), int(row["time_rows"])
    return Accuracy(
        family=row["family"],
        rows=rows,
        error=float(row["error"]) if rows >= LEAST_ROWS else None,
        time_rows=time_rows,
        time_error=float(row["time_error"]) if time_rows >= LEAST_ROWS else None,
    )
