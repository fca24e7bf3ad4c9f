"""The defaults of a spec: what is taken where the user said nothing, and the sentence that says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from generator.errors import InputError, Problem
from generator.quantities import format_count, format_duration
from generator.sizing.architecture import Model, Transformer
from generator.spec import CheckpointSection, DataSection, InterruptibleSection, ModelConfig, ModelShape, Spec
from generator.workload import (
    LONG_RUN_HOURS,
    LONG_RUN_MINUTES,
    SPOT_MINUTES,
    Checkpoint,
    Data,
    Interruptible,
    Limits,
    Quantization,
    SnapshotPlan,
    Workload,
)

GIB = 2**30
LONGEST_SEQUENCE = 4096
FINETUNE_EPOCHS = 3.0
VISION_EPOCHS = 90.0
TOKENS_PER_PARAMETER = 20  # compute-optimal, arXiv 2203.15556
TEXT_BYTES_PER_TOKEN = 4
IMAGE_BYTES = 115_000  # ImageNet-1k: 147 GB over 1,281,167 JPEG files
IMAGES = 1_281_167  # ImageNet-1k
SEQUENCES = 50_000  # an instruction set of the size of Alpaca's 52,002
MEGATRON_FROM = 10e9  # parameters
MOST_NODES = 64
MONTH_DAYS = 30
CPU_MB_PER_S = 0.5
LORA_RANK = 16


def resolve_model(model: str | ModelConfig | ModelShape, folder: Path) -> Model:
    """The architecture that a spec's `model` means; InputError with near names when nobody knows it."""
    from generator.sizing import architecture

    if isinstance(model, ModelConfig):
        return architecture.read_config(folder / model.config)
    if isinstance(model, ModelShape):
        given = {key: value for key, value in msgspec.structs.asdict(model).items() if value is not None}
        return (architecture.typical_sample_model if model.kind else architecture.typical_transformer)(**given)
    found = architecture.find_model(model)
    if found is not None:
        return found
    near = " or ".join(map(repr, architecture.suggest_models(model)))
    other = "{config: ./config.json} or {parameters: 7B} describe any other model"
    raise InputError(
        Problem(message=f"unknown model '{model}'", hint=f"did you mean {near}? {other}" if near else other)
    )


class Derivation:
    """One pass over a spec; `said` collects the assumptions in the order of the spec's fields."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.job = spec.workload
        self.task = spec.workload.task
        self.training = self.task in ("pretrain", "finetune")
        self.model = None if self.job.model is None else resolve_model(self.job.model, spec.source.folder)
        self.vision = self.model is not None and not isinstance(self.model, Transformer)
        self.diffusion = not isinstance(self.model, Transformer | None) and self.model.family in ("diffusion", "video")
        self.said: list[str] = []

    def workload(self) -> Workload:
        """The whole workload."""
        job = self.job
        if self.model is not None and self.model.assumed:
            self.said.append(f"workload.model: {self.model.assumed}")
        method = job.method or "full"
        if self.task == "finetune" and job.method is None:
            self._say("method", "full, because no adapter is asked for")
        profile = self._profile()
        sequence_length = self._sequence_length()
        global_batch = self._global_batch(profile)
        image_size = self._image_size()
        rank = job.lora_rank or LORA_RANK
        if method in ("lora", "qlora") and job.lora_rank is None:
            self._say("lora_rank", f"{LORA_RANK}")
        workload = Workload(
            name=self.spec.name,
            task=self.task,
            model=self.model,
            profile=profile,
            toolchain=job.toolchain,
            method=method,
            lora_rank=rank,
            precision=None if job.precision in ("int8", "int4") else job.precision,
            quantization=self._quantization(),
            optimizer=self._optimizer(),
            sequence_length=sequence_length,
            image_size=image_size,
            global_batch=global_batch,
            augmentation=self._augmentation(),
            cpu_mb_per_s=self._cpu_mb_per_s(),
            requests_per_second=job.requests_per_second,
            latency_ms=job.latency_ms,
            context=self._context(),
            data=self._data(sequence_length),
            checkpoint=self._checkpoint(),
            interruptible=self._interruptible(),
            limits=self._limits(),
            snapshots=self._snapshots(),
        )
        workload = self._with_work(workload)
        self._say_precision()
        self._say_places()
        return msgspec.structs.replace(workload, assumptions=tuple(self.said))

    def _say(self, field: str, sentence: str, section: str = "workload.") -> None:
        self.said.append(f"{section}{field}: {sentence}")

    def _profile(self) -> str:
        """A framework profile; where nothing is trained or served it only names the image."""
        if self.job.framework or self.task == "preprocess":
            return self.job.framework or "hf_trainer"
        profile, why = self._usual_profile()
        self._say("framework", f"{profile}, because {why}")
        return profile

    def _usual_profile(self) -> tuple[str, str]:
        from generator.sizing.accelerators import expand_alias, find_accelerator

        if self.spec.where.compliance == "xinchuang":
            cards = [find_accelerator(member) for gpu in self.spec.hardware.gpus for member in expand_alias(gpu)]
            if cards and all(card and card.vendor == "kunlun" for card in cards):
                return "paddle", "Kunlun cards run it"
            return "mindspeed", "Ascend cards run it"
        if self.model is None:
            return "hf_trainer", "no model is given"
        if not isinstance(self.model, Transformer):
            if self.diffusion:
                return "diffusers", f"{self.model.name} is a diffusion model"
            yolo = self.model.family == "yolo"
            return ("ultralytics", "it is YOLO's own") if yolo else ("timm", "it is usual for vision models")
        if self.task == "infer":
            return "vllm", "it is usual for serving language models"
        if self.task == "pretrain":
            if self.model.parameters > MEGATRON_FROM:
                return "megatron", f"the model has more than {format_count(MEGATRON_FROM)} parameters"
            return "fsdp2", f"the model is pretrained and has at most {format_count(MEGATRON_FROM)} parameters"
        return "hf_trainer", "it is usual for fine-tuning"

    def _sequence_length(self) -> int | None:
        if self.job.sequence_length or not isinstance(self.model, Transformer) or self.task == "infer":
            return self.job.sequence_length
        length = min(self.model.context, LONGEST_SEQUENCE)
        self._say("sequence_length", f"{length} tokens, the model's own, at most {LONGEST_SEQUENCE}")
        return length

    def _context(self) -> int | None:
        if self.job.context or self.task != "infer" or not isinstance(self.model, Transformer):
            return self.job.context
        length = self.job.sequence_length or min(self.model.context, LONGEST_SEQUENCE)
        self._say("context", f"{length} tokens a request, prompt and answer together")
        return length

    def _image_size(self) -> int | None:
        if self.job.image_size or self.model is None or isinstance(self.model, Transformer):
            return self.job.image_size
        if self.model.image_size:
            self._say("image_size", f"{self.model.image_size} pixels, the model's own")
        return self.model.image_size or None

    def _global_batch(self, profile: str) -> int | None:
        if self.job.global_batch or not self.training:
            return self.job.global_batch
        from generator.sizing.profiles import find_profile

        batch = find_profile(profile).global_batch
        self._say("global_batch", f"{batch}, the usual recipe of {profile}")
        return batch

    def _optimizer(self) -> Any:
        if self.job.optimizer or not self.training:
            return self.job.optimizer or "adamw"
        optimizer = "sgd" if self.vision and not self.diffusion else "adamw"
        self._say("optimizer", f"{optimizer}, usual for {'vision' if optimizer == 'sgd' else 'such'} models")
        return optimizer

    def _quantization(self) -> Quantization:
        if self.job.precision == "int8":
            return "int8"
        if self.job.precision == "int4":
            return "int4"
        return self.job.quantization or ("nf4" if self.job.method == "qlora" else "none")

    def _say_precision(self) -> None:
        if self.job.precision is None and self.model is not None:
            self._say("precision", "bf16 where the card has it, else fp16")

    def _augmentation(self) -> Any:
        if self.job.augmentation or not self.vision or not self.training:
            return self.job.augmentation
        self._say("augmentation", "light")
        return "light"

    def _cpu_mb_per_s(self) -> float:
        if self.task == "preprocess" and self.job.cpu_mb_per_s is None:
            self._say("cpu_mb_per_s", f"{CPU_MB_PER_S:g} MB/s of raw data for each vCPU")
        return self.job.cpu_mb_per_s or CPU_MB_PER_S

    def _data(self, sequence_length: int | None) -> Data | None:
        section = self.spec.data
        if section is None:
            if self.training:
                self._say("data", "none is given, so no room is planned for it", "")
            return None
        if section.size_gib is None:
            self._say("size", f"{self._guessed_size(section, sequence_length):.3g} GiB, from its samples", "data.")
        if "data.on" not in self.spec.source.places:
            self._say("on", "auto, the cheapest place that meets the read need", "data.")
        size = section.size_gib or self._guessed_size(section, sequence_length)
        return Data(size_gib=size, files=section.files, samples=section.samples, source=section.source, on=section.on)

    def _guessed_size(self, section: DataSection, sequence_length: int | None) -> float:
        each = IMAGE_BYTES if self.vision else TEXT_BYTES_PER_TOKEN * (sequence_length or LONGEST_SEQUENCE)
        return each * (section.samples or section.files or 0) / GIB

    def _with_work(self, workload: Workload) -> Workload:
        """How long it runs or how many samples it takes, with the epochs where an epoch is known."""
        job = self.job
        if job.run_hours is not None or not self.training:
            return msgspec.structs.replace(workload, run_hours=self._run_hours())
        samples = self._epoch_samples(workload)
        batch, length = workload.global_batch or 1, workload.sequence_length or 1
        if job.steps is not None:
            total = float(job.steps * batch)
        elif job.samples is not None:
            total = float(job.samples)
        elif job.tokens is not None:
            total = job.tokens / length
        elif job.epochs is None and samples is None:
            total = self._usual_samples(length)
        else:
            epochs = job.epochs or self._usual_epochs()
            total = epochs * (samples or 0)
        return msgspec.structs.replace(workload, samples_total=total, epochs=total / samples if samples else job.epochs)

    def _epoch_samples(self, workload: Workload) -> float | None:
        """Samples of one epoch: as given, else a file each for images, else from the size of the data."""
        data = workload.data
        if data is None or data.samples:
            return data.samples if data else None
        counted = any(getattr(self.job, key) is not None for key in ("steps", "samples", "tokens"))
        if self.vision and data.files:
            samples, how = float(data.files), "one for each file"
        elif not data.size_gib:
            return None
        elif self.vision:
            samples, how = (
                data.size_gib * GIB / IMAGE_BYTES,
                f"from {data.size_gib:g} GiB at {IMAGE_BYTES:,} B an image",
            )
        else:
            samples = data.size_gib * GIB / TEXT_BYTES_PER_TOKEN / (workload.sequence_length or 1)
            how = f"from {data.size_gib:g} GiB at {TEXT_BYTES_PER_TOKEN} B a token"
        if not counted:
            self._say("samples", f"{format_count(samples)}, {how}", "data.")
        return samples

    def _usual_epochs(self) -> float:
        if self.vision and not self.diffusion:
            epochs, why = VISION_EPOCHS, "usual for vision models"
        elif self.task == "finetune":
            epochs, why = FINETUNE_EPOCHS, "usual for fine-tuning"
        else:
            epochs, why = 1.0, "usual for pretraining"
        self._say("epochs", f"{epochs:g}, {why}")
        return epochs

    def _usual_samples(self, length: int) -> float:
        """Work when neither it nor the data is known."""
        if isinstance(self.model, Transformer) and self.task == "pretrain":
            tokens = TOKENS_PER_PARAMETER * self.model.parameters
            self._say("tokens", f"{format_count(tokens)}, {TOKENS_PER_PARAMETER} for each parameter")
            return tokens / length
        samples = IMAGES if self.vision else SEQUENCES
        like = "as ImageNet-1k has" if self.vision else "as a usual instruction set has"
        self._say("samples", f"{format_count(samples)}, {like}, because no data is described", "data.")
        return samples * self._usual_epochs()

    def _run_hours(self) -> float | None:
        job, operate = self.job, self.spec.operate
        if job.run_hours is not None or self.task == "preprocess":
            return job.run_hours
        if operate.hours is not None:
            hours = operate.hours.per_week * MONTH_DAYS / 7
            why = f"operate.hours over {MONTH_DAYS} days"
        else:
            hours, why = float(24 * MONTH_DAYS), f"{MONTH_DAYS} days, day and night"
        if operate.time_to_live_hours is not None and operate.time_to_live_hours < hours:
            hours, why = operate.time_to_live_hours, "operate.time_to_live"
        self._say("run_hours", f"{hours:.4g} h, {why}")
        return hours

    def _checkpoint(self) -> Checkpoint | None:
        section = self.spec.checkpoint
        if section == "none" or (section is None and not self.training):
            return None
        section = section or CheckpointSection()
        every = section.every_minutes
        if every is None:
            every = self._usual_interval()
        given = self.spec.source.places
        for key, value in (("to", section.to), ("keep", section.keep)):
            if f"checkpoint.{key}" not in given:
                self._say(key, f"{value}", "checkpoint.")
        existing = section.to if "://" in section.to else None
        return Checkpoint(
            every_minutes=every,
            to="bucket" if existing else section.to,  # type: ignore[arg-type] # the reader holds it to the places
            keep=section.keep,
            existing=existing,
            assumed=section.every_minutes is None,
        )

    def _usual_interval(self) -> float | None:
        """Minutes between checkpoints; None is each epoch, which `settle_checkpoint` revises for the chosen nodes."""
        longest = self.job.run_hours or 0.0
        if self.spec.interruptible:
            minutes, why = SPOT_MINUTES, "the job may be interrupted"
        elif (self.spec.hardware.nodes.low or 1) > 1:
            minutes, why = LONG_RUN_MINUTES, "it runs on several nodes"
        elif longest > LONG_RUN_HOURS or not self.training:
            minutes, why = LONG_RUN_MINUTES, f"it runs longer than {LONG_RUN_HOURS:g} h"
        else:
            hourly = format_duration(LONG_RUN_MINUTES * 60)
            long = f"more than one node or {LONG_RUN_HOURS:g} h"
            self._say("every", f"each epoch, or every {hourly} when the choice is {long}", "checkpoint.")
            return None
        self._say("every", f"every {format_duration(minutes * 60)}, because {why}", "checkpoint.")
        return minutes

    def _interruptible(self) -> Interruptible | None:
        section = self.spec.interruptible
        if section is None:
            self._say("interruptible", "false, so no spot, because nothing says that the job may be interrupted", "")
        if not section:
            return None
        chosen = section if isinstance(section, InterruptibleSection) else InterruptibleSection()
        for key in ("on_demand_nodes", "alternates"):
            if f"interruptible.{key}" not in self.spec.source.places:
                self._say(key, f"{getattr(chosen, key)}", "interruptible.")
        return Interruptible(on_demand_nodes=chosen.on_demand_nodes, alternates=chosen.alternates)

    def _limits(self) -> Limits:
        from generator.sizing.accelerators import expand_alias

        asked = self.spec.hardware
        if not self.spec.source.given("hardware.nodes"):
            self._say("nodes", "1..64", "hardware.")
        members = (member for gpu in asked.gpus for member in expand_alias(gpu))
        return Limits(
            gpus=tuple(dict.fromkeys(members)),
            min_nodes=int(asked.nodes.low or 1),
            max_nodes=int(asked.nodes.high or MOST_NODES),
            min_gpus_per_node=int(asked.gpus_per_node.low or 1),
            max_gpus_per_node=None if asked.gpus_per_node.high is None else int(asked.gpus_per_node.high),
            min_gpu_memory_gib=asked.gpu_memory_gib.low,
            max_gpu_memory_gib=asked.gpu_memory_gib.high,
            min_vcpus=asked.vcpus,
            min_ram_gib=asked.ram_gib,
            spare_nodes=asked.spare_nodes,
            allow=asked.allow,
        )

    def _snapshots(self) -> SnapshotPlan:
        if self.spec.operate.snapshots is not None:
            return self.spec.operate.snapshots
        plan: SnapshotPlan = "daily" if self.training or self.task == "develop" else "none"
        self._say("snapshots", f"{plan} of the disks that persist", "operate.")
        return plan

    def _say_places(self) -> None:
        """Defaults that stand in the spec's own fields."""
        from generator.clouds import cloud_ids

        places = self.spec.source.places
        if not self.spec.where.clouds:
            self._say("clouds", f"all that are built: {', '.join(cloud_ids())}", "where.")
        if not self.spec.where.regions and not self.spec.where.zones:
            self._say("regions", "the mainland regions of each cloud", "where.")
        if "goal.prefer" not in places:
            self._say("prefer", "cost", "goal.")
        if self.spec.interruptible and "goal.spot_ratio" not in places:
            self._say("spot_ratio", "1: no saving of spot is claimed", "goal.")
        if "network.egress" not in places:
            self._say("egress", f"{self.spec.network.egress}", "network.")
        if "network.access" not in places:
            self._say("access", "none: no address of a node is public", "network.")
