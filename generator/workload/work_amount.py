"""How much there is to do: the size of the data, the samples of an epoch, and the samples or hours of the whole run."""

from __future__ import annotations

from collections.abc import Callable

from generator.sizing.architecture import Model
from generator.spec import DataSection, Spec
from generator.spec.quantities import format_count
from generator.workload import Data
from generator.workload.model_choice import ModelKind

GIB = 2**30
FINETUNE_EPOCHS = 3.0
VISION_EPOCHS = 90.0
TOKENS_PER_PARAMETER = 20  # compute-optimal, arXiv 2203.15556
TEXT_BYTES_PER_TOKEN = 4
LATENT_BYTES = 4_000_000  # a short video clip or a large image
IMAGE_BYTES = 115_000  # ImageNet-1k: 147 GB over 1,281,167 JPEG files
IMAGES = 1_281_167  # ImageNet-1k
SEQUENCES = 50_000  # an instruction set of the size of Alpaca's 52,002
MONTH_DAYS = 30

Say = Callable[[str, str], None]  # field and sentence of an assumption


def derive_data(spec: Spec, each_bytes: float, say: Say) -> Data | None:
    """The data set; where its size is not given, its samples (or files) of `each_bytes` are taken."""
    section = spec.data
    if section is None:
        if spec.workload.task in ("pretrain", "finetune"):
            say("data", "none is given, so no room is planned for it")
        return None
    size = section.size_gib
    if size is None:
        size = each_bytes * (section.samples or section.files or 0) / GIB
        say("data.size", f"{size:.3g} GiB, from its samples of {each_bytes:,.0f} B")
    if not spec.source.given("data.on"):
        say("data.on", "auto, the cheapest place that meets the read need")
    return Data(size_gib=size, files=section.files, samples=section.samples, source=section.source, on=section.on)


def sample_bytes(kind: ModelKind, sequence_length: int | None) -> float:
    """Bytes of one sample of raw data, where only their number is known."""
    if kind == "language":
        return TEXT_BYTES_PER_TOKEN * float(sequence_length or 1)
    return IMAGE_BYTES if kind == "vision" else LATENT_BYTES


def derive_samples(
    spec: Spec, model: Model, kind: ModelKind, sequence_length: int | None, global_batch: int, say: Say
) -> tuple[float, float | None]:
    """Samples of the whole run, and its epochs where the samples of one are known."""
    job = spec.workload
    counted: float | None = None
    if job.steps is not None:
        counted = float(job.steps * global_batch)
    elif job.samples is not None:
        counted = float(job.samples)
    elif job.tokens is not None:
        counted = job.tokens / (sequence_length or 1)
    epoch, how = _epoch_samples(spec.data, kind, sample_bytes(kind, sequence_length))
    if counted is not None:
        return counted, counted / epoch if epoch else None
    if epoch is None and kind == "language" and job.task == "pretrain" and job.epochs is None:
        tokens = TOKENS_PER_PARAMETER * model.parameters
        say("workload.tokens", f"{format_count(tokens)}, {TOKENS_PER_PARAMETER} for each parameter")
        return tokens / (sequence_length or 1), None
    if epoch is None:
        epoch, like = (
            (float(SEQUENCES), "a usual instruction set") if kind != "vision" else (float(IMAGES), "ImageNet-1k")
        )
        how = f"as {like} has, because no data is described"
    if how:
        say("data.samples", f"{format_count(epoch)}, {how}")
    epochs = job.epochs or _usual_epochs(job.task, kind, say)
    return epochs * epoch, epochs


def _epoch_samples(data: DataSection | None, kind: ModelKind, each_bytes: float) -> tuple[float | None, str | None]:
    """Samples of one epoch and how they were found: None as given, else a file each, else from the size of the data."""
    if data is None:
        return None, None
    if data.samples:
        return float(data.samples), None
    if data.files and kind != "language":
        return float(data.files), "one for each file"
    if data.size_gib:
        return data.size_gib * GIB / each_bytes, f"from {data.size_gib:g} GiB at {each_bytes:,.0f} B each"
    return None, None


def _usual_epochs(task: str, kind: ModelKind, say: Say) -> float:
    if kind == "vision":
        epochs, why = VISION_EPOCHS, "usual for vision models"
    elif task == "finetune":
        epochs, why = FINETUNE_EPOCHS, "usual for fine-tuning"
    else:
        epochs, why = 1.0, "usual for pretraining"
    say("workload.epochs", f"{epochs:g}, {why}")
    return epochs


def derive_hours(spec: Spec, say: Say) -> float | None:
    """Hours of a machine or a service that has no work to finish; None for work that is counted."""
    if spec.workload.run_hours is not None or spec.workload.task not in ("infer", "develop"):
        return spec.workload.run_hours
    if spec.operate.hours is not None and spec.workload.task == "develop":
        hours, why = spec.operate.hours.per_week * MONTH_DAYS / 7, f"operate.hours over {MONTH_DAYS} days"
    else:
        hours, why = 24.0 * MONTH_DAYS, f"{MONTH_DAYS} days, day and night"
    alive = spec.operate.time_to_live_hours
    if alive is not None and alive < hours:
        hours, why = alive, "operate.time_to_live"
    say("workload.run_hours", f"{hours:.4g} h, {why}")
    return hours
