"""The defaults of a spec: what is taken where the user said nothing, and the sentence that says so."""

from __future__ import annotations

from typing import Any

import msgspec

from generator.clouds import cloud_ids
from generator.sizing.accelerators import expand_alias, find_accelerator
from generator.sizing.architecture import Transformer
from generator.sizing.profiles import find_profile
from generator.spec import CheckpointSection, InterruptibleSection, Spec
from generator.spec.quantities import format_count, format_duration
from generator.workload import (
    LONG_RUN_HOURS,
    LONG_RUN_MINUTES,
    SPOT_MINUTES,
    Checkpoint,
    CheckpointPlace,
    Interruptible,
    Limits,
    Optimizer,
    Precision,
    Quantization,
    SnapshotPlan,
    Workload,
)
from generator.workload.model_choice import model_kind, resolve_model
from generator.workload.work_amount import derive_data, derive_hours, derive_samples, sample_bytes

LONGEST_SEQUENCE = 4096
MEGATRON_FROM = 10e9  # parameters
MOST_NODES = 64
CPU_MB_PER_S = 0.5
LORA_RANK = 16


def derive_workload(spec: Spec) -> Workload:
    """The workload of a spec, with every default that was used in its assumptions."""
    return _Derivation(spec).workload()


class _Derivation:
    """One pass over a spec; `said` collects the assumptions."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.job = spec.workload
        self.task = spec.workload.task
        self.training = self.task in ("pretrain", "finetune")
        self.model = None if self.job.model is None else resolve_model(self.job.model, spec.source.folder)
        self.kind = None if self.model is None else model_kind(self.model)
        self.said: list[str] = []

    def workload(self) -> Workload:
        """The whole workload; the order of the steps is the order of the assumptions."""
        if self.model is not None and self.model.assumed:
            self._say("workload.model", self.model.assumed)
        profile = self._profile()
        length = self._sequence_length()
        method = self.job.method or "full"
        if self.task == "finetune" and self.job.method is None:
            self._say("workload.method", "full, because no adapter is asked for")
        workload = Workload(
            name=self.spec.name,
            task=self.task,
            model=self.model,
            profile=profile,
            toolchain=self.job.toolchain,
            method=method,
            lora_rank=self._lora_rank(),
            precision=self._precision(),
            quantization=self._quantization(),
            optimizer=self._optimizer(),
            sequence_length=length,
            image_size=self._image_size(),
            global_batch=self._global_batch(profile),
            augmentation=self._augmentation(),
            cpu_mb_per_s=self._cpu_mb_per_s(),
            requests_per_second=self.job.requests_per_second,
            latency_ms=self.job.latency_ms,
            context=self._context(),
            data=derive_data(self.spec, sample_bytes(self.kind or "language", length), self._say),
            run_hours=derive_hours(self.spec, self._say),
            checkpoint=self._checkpoint(),
            interruptible=self._interruptible(),
            limits=self._limits(),
            snapshots=self._snapshots(),
        )
        if self.training and self.model is not None and self.kind is not None and workload.run_hours is None:
            batch = workload.global_batch or 1
            total, epochs = derive_samples(self.spec, self.model, self.kind, length, batch, self._say)
            workload = msgspec.structs.replace(workload, samples_total=total, epochs=epochs)
        self._say_standing_defaults()
        return msgspec.structs.replace(workload, assumptions=tuple(self.said))

    def _say(self, field: str, sentence: str) -> None:
        self.said.append(f"{field}: {sentence}")

    def _profile(self) -> str:
        """A framework profile; where nothing is trained or served it only names the image."""
        if self.job.framework or self.task == "preprocess":
            return self.job.framework or "hf_trainer"
        profile, why = self._usual_profile()
        self._say("workload.framework", f"{profile}, because {why}")
        return profile

    def _usual_profile(self) -> tuple[str, str]:
        if self.spec.where.compliance == "xinchuang":
            cards = [find_accelerator(member) for gpu in self.spec.hardware.gpus for member in expand_alias(gpu)]
            kunlun = cards and all(card is not None and card.vendor == "kunlun" for card in cards)
            return ("paddle", "Kunlun cards run it") if kunlun else ("mindspeed", "Ascend cards run it")
        if self.model is None:
            return "hf_trainer", "no model is given"
        if not isinstance(self.model, Transformer):
            family = {"yolo": "ultralytics", "diffusion": "diffusers", "video": "diffusers"}
            return family.get(
                self.model.family, "timm"
            ), f"it is usual for {self.kind} models such as {self.model.name}"
        profile, why = "hf_trainer", "it is usual for fine-tuning"
        if self.task == "infer":
            profile, why = "vllm", "it is usual for serving language models"
        elif self.task == "pretrain" and self.model.parameters > MEGATRON_FROM:
            profile, why = "megatron", f"the model has more than {format_count(MEGATRON_FROM)} parameters"
        elif self.task == "pretrain":
            profile, why = "fsdp2", f"the model is pretrained and has at most {format_count(MEGATRON_FROM)} parameters"
        return profile, why

    def _sequence_length(self) -> int | None:
        if self.job.sequence_length or not isinstance(self.model, Transformer) or self.task == "infer":
            return self.job.sequence_length
        length = min(self.model.context, LONGEST_SEQUENCE)
        self._say("workload.sequence_length", f"{length} tokens, the model's own, at most {LONGEST_SEQUENCE}")
        return length

    def _context(self) -> int | None:
        if self.job.context or self.task != "infer" or not isinstance(self.model, Transformer):
            return self.job.context
        length = min(self.model.context, LONGEST_SEQUENCE)
        self._say("workload.context", f"{length} tokens a request, the model's own, at most {LONGEST_SEQUENCE}")
        return length

    def _image_size(self) -> int | None:
        if self.job.image_size or self.model is None or isinstance(self.model, Transformer):
            return self.job.image_size
        if self.model.image_size:
            self._say("workload.image_size", f"{self.model.image_size} pixels, the model's own")
        return self.model.image_size or None

    def _global_batch(self, profile: str) -> int | None:
        if self.job.global_batch or not self.training:
            return self.job.global_batch
        batch = find_profile(profile).global_batch
        self._say("workload.global_batch", f"{batch}, the usual recipe of {profile}")
        return batch

    def _lora_rank(self) -> int:
        if self.job.method in ("lora", "qlora") and self.job.lora_rank is None:
            self._say("workload.lora_rank", f"{LORA_RANK}")
        return self.job.lora_rank or LORA_RANK

    def _optimizer(self) -> Optimizer:
        if self.job.optimizer or not self.training:
            return self.job.optimizer or "adamw"
        optimizer: Optimizer = "sgd" if self.kind == "vision" else "adamw"
        self._say("workload.optimizer", f"{optimizer}, usual for {self.kind} models")
        return optimizer

    def _precision(self) -> Precision | None:
        match self.job.precision:
            case "int8" | "int4":
                return None
            case None if self.model is not None:
                self._say("workload.precision", "bf16 where the card has it, else fp16")
                return None
            case precision:
                return precision

    def _quantization(self) -> Quantization:
        match self.job.precision:
            case "int8" | "int4" as quantization:
                return quantization
            case _:
                return self.job.quantization or ("nf4" if self.job.method == "qlora" else "none")

    def _augmentation(self) -> Any:
        if self.job.augmentation or self.kind != "vision" or not self.training:
            return self.job.augmentation
        self._say("workload.augmentation", "light")
        return "light"

    def _cpu_mb_per_s(self) -> float:
        if self.task == "preprocess" and self.job.cpu_mb_per_s is None:
            self._say("workload.cpu_mb_per_s", f"{CPU_MB_PER_S:g} MB/s of raw data for each vCPU")
        return self.job.cpu_mb_per_s or CPU_MB_PER_S

    def _checkpoint(self) -> Checkpoint | None:
        section = self.spec.checkpoint
        if section == "none" or (section is None and not self.training):
            return None
        section = section or CheckpointSection()
        every = section.every_minutes or self._usual_interval()
        for key, value in (("to", section.to), ("keep", section.keep)):
            if not self.spec.source.given(f"checkpoint.{key}"):
                self._say(f"checkpoint.{key}", f"{value}")
        place, existing = _checkpoint_place(section.to)
        assumed = section.every_minutes is None
        return Checkpoint(every_minutes=every, to=place, keep=section.keep, existing=existing, assumed=assumed)

    def _usual_interval(self) -> float | None:
        """Minutes between checkpoints; None is each epoch, which `settle_checkpoint` revises for the chosen nodes."""
        if self.spec.interruptible:
            minutes, why = SPOT_MINUTES, "the job may be interrupted"
        elif (self.spec.hardware.nodes.low or 1) > 1:
            minutes, why = LONG_RUN_MINUTES, "it runs on several nodes"
        elif (self.job.run_hours or 0.0) > LONG_RUN_HOURS:
            minutes, why = LONG_RUN_MINUTES, f"it runs longer than {LONG_RUN_HOURS:g} h"
        elif not self.training:
            minutes, why = LONG_RUN_MINUTES, "it has no epochs"
        else:
            hourly = format_duration(LONG_RUN_MINUTES * 60)
            long = f"on more than one node or longer than {LONG_RUN_HOURS:g} h"
            self._say("checkpoint.every", f"each epoch, or every {hourly} if the chosen run is {long}")
            return None
        self._say("checkpoint.every", f"every {format_duration(minutes * 60)}, because {why}")
        return minutes

    def _interruptible(self) -> Interruptible | None:
        section = self.spec.interruptible
        if section is None:
            self._say("interruptible", "false, so no spot, because nothing says that the job may be interrupted")
        if not section:
            return None
        chosen = section if isinstance(section, InterruptibleSection) else InterruptibleSection()
        for key in ("on_demand_nodes", "alternates"):
            if not self.spec.source.given(f"interruptible.{key}"):
                self._say(f"interruptible.{key}", f"{getattr(chosen, key)}")
        return Interruptible(on_demand_nodes=chosen.on_demand_nodes, alternates=chosen.alternates)

    def _limits(self) -> Limits:
        asked = self.spec.hardware
        if not self.spec.source.given("hardware.nodes"):
            self._say("hardware.nodes", f"1..{MOST_NODES}")
        members = (member for gpu in asked.gpus for member in expand_alias(gpu))
        most_gpus = asked.gpus_per_node.high
        return Limits(
            gpus=tuple(dict.fromkeys(members)),
            min_nodes=int(asked.nodes.low or 1),
            max_nodes=int(asked.nodes.high or MOST_NODES),
            min_gpus_per_node=int(asked.gpus_per_node.low or 1),
            max_gpus_per_node=None if most_gpus is None else int(most_gpus),
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
        self._say("operate.snapshots", f"{plan} of the disks that persist" if plan == "daily" else plan)
        return plan

    def _say_standing_defaults(self) -> None:
        """Defaults that stand in the fields of the spec themselves."""
        spec, given = self.spec, self.spec.source.given
        if not spec.where.clouds:
            self._say("where.clouds", f"all that are built: {', '.join(cloud_ids())}")
        if not spec.where.regions and not spec.where.zones:
            self._say("where.regions", "the mainland regions of each cloud")
        if not given("goal.prefer"):
            self._say("goal.prefer", spec.goal.prefer)
        if spec.interruptible and not given("goal.spot_ratio"):
            self._say("goal.spot_ratio", "1: no saving of spot is claimed")
        if not given("network.egress"):
            self._say("network.egress", spec.network.egress)
        if not given("network.access"):
            self._say("network.access", "none: no address of a node is public")
        if spec.operate.hours is not None and self.task != "develop":
            self._say("operate.hours", f"no effect, because the nodes of task {self.task} run until the work is done")
        elif spec.operate.hours is not None and not given("operate.timezone"):
            self._say("operate.timezone", spec.operate.timezone)


def _checkpoint_place(target: str) -> tuple[CheckpointPlace, str | None]:
    """The kind of place, and the bucket that exists where one is named."""
    match target:
        case "bucket" | "file_system" | "disk" | "local":
            return target, None
        case _:
            return "bucket", target
