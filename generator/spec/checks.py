"""What a field's form cannot say: names that some table must know, and fields that contradict one another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from generator.catalog import load_regions
from generator.clouds import PLANNED, cloud_ids, find_cloud
from generator.errors import InputError, Problem
from generator.sizing.accelerators import accelerator_names, expand_alias, find_accelerator, suggest_accelerators
from generator.sizing.architecture import Model
from generator.sizing.profiles import option_names, profile_names, toolchain_names
from generator.spec import ModelConfig, ModelShape
from generator.spec.quantities import Range, quote
from generator.spec.reader import Given
from generator.spelling import did_you_mean
from generator.workload.model_choice import model_kind, resolve_model

TRAINING = ("pretrain", "finetune")
WITH_MODEL = (*TRAINING, "infer", "develop")
# Fields of workload that mean something for some tasks only; the others take any.
TASKS_OF_FIELD = {
    "model": WITH_MODEL,
    "precision": WITH_MODEL,
    "sequence_length": WITH_MODEL,
    "image_size": WITH_MODEL,
    "framework": WITH_MODEL,
    "toolchain": WITH_MODEL,
    "method": (*TRAINING, "develop"),
    "lora_rank": (*TRAINING, "develop"),
    "optimizer": (*TRAINING, "develop"),
    "global_batch": (*TRAINING, "develop"),
    "augmentation": (*TRAINING, "develop"),
    "quantization": ("finetune", "infer", "develop"),
    "tokens": TRAINING,
    "samples": TRAINING,
    "epochs": TRAINING,
    "steps": TRAINING,
    "cpu_mb_per_s": ("preprocess",),
    "requests_per_second": ("infer",),
    "latency_ms": ("infer",),
    "context": ("infer",),
}
WORK = ("tokens", "samples", "epochs", "steps", "run_hours")
MOST_TAGS = 3  # of ten that every cloud takes, seven are ours (CONTRACTS section 4)
OUR_TAG_PREFIX = "trainform"


def check(given: Given) -> list[Problem]:
    """Every fault among the values that passed on their own."""
    rules = (
        _clouds, _cards, _framework, _buckets, _places, _model, _work, _training, _pool, _goals, _hardware, _network,
        _files, _tags,
    )  # fmt: skip
    return [problem for rule in rules for problem in rule(given)]


def _clouds(given: Given) -> Iterator[Problem]:
    """Clouds that are not built, or that nobody knows."""
    for path, cloud in given.items("where.clouds"):
        if cloud in cloud_ids():
            continue
        if cloud in PLANNED:
            message = f"where.clouds: {cloud} is planned and refused until it works"
            yield given.problem(path, message, f"today it is {' or '.join(cloud_ids())}")
        else:
            hint = did_you_mean(cloud, (*cloud_ids(), *PLANNED))
            yield given.problem(path, f"unknown cloud {quote(cloud)}", hint or f"clouds are {', '.join(cloud_ids())}")


def _cards(given: Given) -> Iterator[Problem]:
    """Cards that no table has."""
    for path, gpu in given.items("hardware.gpus"):
        if not expand_alias(gpu):
            near = " or ".join(map(repr, suggest_accelerators(gpu)))
            hint = f"did you mean {near}?" if near else f"cards are {', '.join(accelerator_names())}"
            yield given.problem(path, f"unknown GPU {quote(gpu)}", hint)


def _framework(given: Given) -> Iterator[Problem]:
    """Framework profiles, their options and toolchains that no table has."""
    profile, *options = (given.get("workload.framework") or "").split("+")
    toolchain = given.get("workload.toolchain")
    tables = [("framework profile", profile, profile_names()), ("toolchain", toolchain, toolchain_names())]
    tables[1:1] = [("option of a framework profile", option, option_names()) for option in options]
    for what, name, known in tables:
        if name and name not in known:
            path = "workload.toolchain" if what == "toolchain" else "workload.framework"
            hint = did_you_mean(name, known) or f"known are {', '.join(known)}"
            yield given.problem(path, f"unknown {what} {quote(name)}", hint)


def _buckets(given: Given) -> Iterator[Problem]:
    """Buckets of a cloud that is not asked."""
    schemes = {find_cloud(cloud).bucket_scheme for cloud in _clouds_asked(given)}
    for path in ("data.source", "checkpoint.to"):
        url = given.get(path)
        if url and "://" in url and url.split("://")[0] not in schemes:
            hint = f"buckets begin with {', '.join(sorted(f'{scheme}://' for scheme in schemes))}"
            yield given.problem(path, f"{quote(url)} is not a bucket of the clouds asked", hint)


def _clouds_asked(given: Given) -> tuple[str, ...]:
    """The clouds named that are built; all where none is."""
    return tuple(cloud for _, cloud in given.items("where.clouds") if cloud in cloud_ids()) or cloud_ids()


def _places(given: Given) -> Iterator[Problem]:
    """Regions and zones that the clouds asked do not have."""
    if not given.items("where.regions") and not given.items("where.zones"):
        return
    regions = {region.id: region for cloud in _clouds_asked(given) for region in load_regions(cloud)}
    for path, name in given.items("where.regions"):
        if name in regions:
            continue
        owner = next((cloud for cloud in cloud_ids() if name in {region.id for region in load_regions(cloud)}), None)
        hint = did_you_mean(name, regions) or f"regions are {', '.join(regions)}"
        message = f"{quote(name)} is a region of {owner}" if owner else f"unknown region {quote(name)}"
        yield given.problem(path, message, hint)
    asked = [name for _, name in given.items("where.regions") if name in regions]
    for path, name in given.items("where.zones"):
        owners = [region for region in regions.values() if name in region.zones or name.startswith(f"{region.id}-")]
        if not owners:
            zones = [zone for region in regions.values() for zone in region.zones]
            hint = did_you_mean(name, zones) or "a zone begins with its region, such as cn-beijing-l"
            yield given.problem(path, f"unknown zone {quote(name)}", hint)
        elif asked and not any(region.id in asked for region in owners):
            message = f"zone {name} lies in {owners[0].id}, which where.regions leaves out"
            yield given.problem(path, message, f"add {owners[0].id} to where.regions, or take the zone out")


def _model(given: Given) -> Iterator[Problem]:
    """A model that is missing, unknown or malformed, and fields of another kind of model."""
    task, model = given.get("workload.task"), given.get("workload.model")
    if task in (*TRAINING, "infer") and "workload.model" not in given.places:
        hint = "name one of the zoo (qwen2.5-7b, resnet50), or give {config: ./config.json} or {parameters: 7B}"
        yield given.problem("workload", f"workload.model is missing, which {task} needs", hint)
    if model is None:
        return
    unread = [*_shape_problems(given, model)] if isinstance(model, ModelShape) else []
    yield from unread
    if unread or (isinstance(model, ModelConfig) and _file_problem(given, "workload.model.config")):
        return
    try:
        resolved = resolve_model(model, Path(given.file).parent)
    except InputError as error:
        for problem in error.problems:
            place = problem.where or given.places["workload.model"]
            yield msgspec.structs.replace(problem, where=place)
        return
    for key in _foreign_fields(given, resolved):
        message = f"workload.{key} has no meaning for {resolved.name}, a {model_kind(resolved)} model"
        yield given.problem(f"workload.{key}", message, "leave it out")


def _shape_problems(given: Given, model: ModelShape) -> Iterator[Problem]:
    """Fields of a model by size that do not go together."""
    if model.kind is None and model.tokens_per_sample is not None:
        message = "tokens_per_sample is for models with a kind"
        yield given.problem("workload.model.tokens_per_sample", message, "add kind: video_dit, or leave it out")
    if model.kind is None:
        return
    for key in ("layers", "hidden", "heads", "kv_heads", "ffn", "vocab", "context"):
        if getattr(model, key) is not None:
            message = f"{key} has no effect on a model of kind {model.kind}"
            yield given.problem(f"workload.model.{key}", message, "leave it out")


def _foreign_fields(given: Given, model: Model) -> list[str]:
    """Given fields of workload that are of another kind of model."""
    foreign = {
        "language": ("image_size", "augmentation"),
        "diffusion": ("tokens", "context"),
        "vision": ("tokens", "context", "sequence_length", "method", "lora_rank", "quantization"),
    }[model_kind(model)]
    return [key for key in foreign if given.get(f"workload.{key}") not in (None, "full", "none")]


def _work(given: Given) -> Iterator[Problem]:
    """Fields that the task does not take, and work that is counted twice."""
    task = given.get("workload.task")
    for key, tasks in TASKS_OF_FIELD.items():
        path = f"workload.{key}"
        if task and path in given.places and task not in tasks:
            yield given.problem(path, f"{path} has no meaning for task {task}", f"it is for {', '.join(tasks)}")
    counted = [key for key in WORK if f"workload.{key}" in given.places]
    for key in counted[1:]:
        message = f"workload.{key} contradicts workload.{counted[0]}: both say how much work there is"
        yield given.problem(f"workload.{key}", message, "keep one of them")
    if given.get("workload.epochs") is not None and not any(
        given.get(f"data.{key}") for key in ("samples", "files", "size")
    ):
        yield given.problem(
            "workload.epochs", "workload.epochs needs data.samples", "say how many samples an epoch has"
        )
    if task == "preprocess" and "workload.run_hours" not in given.places and "data.size" not in given.places:
        message = "data.size is missing, which preprocess needs"
        yield given.problem("workload", message, "give data: {size: 1TB}, or workload.run_hours")


def _training(given: Given) -> Iterator[Problem]:
    """Method, precision, quantization and rank that do not go together."""
    task, method = given.get("workload.task"), given.get("workload.method")
    precision, quantization = given.get("workload.precision"), given.get("workload.quantization")
    adapter = method in ("lora", "qlora")
    if task == "pretrain" and method not in (None, "full"):
        yield given.problem(
            "workload.method", f"method {method} trains no base model", "use task: finetune, or method: full"
        )
    if given.get("workload.lora_rank") is not None and not adapter:
        message = f"lora_rank has no meaning with method {method or 'full'}"
        yield given.problem("workload.lora_rank", message, "add method: lora or qlora, or leave it out")
    if method == "qlora" and precision in ("fp32", "tf32", "fp8"):
        message = f"precision {precision} contradicts method qlora, which computes in 16 bits"
        yield given.problem("workload.precision", message, "use bf16 or fp16, or leave it out")
    if method == "qlora" and quantization not in (None, "nf4"):
        message = f"quantization {quantization} contradicts method qlora, which means nf4"
        yield given.problem("workload.quantization", message, "leave it out, or use method: lora")
    if task == "finetune" and method in (None, "full") and quantization not in (None, "none"):
        message = f"quantization {quantization} freezes the weights that method full trains"
        yield given.problem("workload.quantization", message, "use method: lora or ptuning")
    if precision in ("int8", "int4"):
        if task not in (None, "infer"):
            message = f"precision {precision} is for task infer"
            yield given.problem("workload.precision", message, f"for frozen base weights use quantization: {precision}")
        elif quantization not in (None, precision):
            message = f"quantization {quantization} contradicts precision {precision}"
            yield given.problem("workload.quantization", message, "keep one of them")


def _pool(given: Given) -> Iterator[Problem]:
    """More nodes kept on demand than there may be."""
    kept, nodes = given.get("interruptible.on_demand_nodes"), given.get("hardware.nodes") or Range(low=1, high=64)
    if not kept or nodes.high is None or kept < nodes.high or kept == nodes.high == 1:
        return
    message = f"on_demand_nodes {kept} leaves no node that may be interrupted: hardware.nodes is at most {nodes.high:g}"
    yield given.problem("interruptible.on_demand_nodes", message, "keep fewer, or set interruptible: false")


def _goals(given: Given) -> Iterator[Problem]:
    """A deadline that what else is asked for cannot meet."""
    deadline, alive = given.get("goal.deadline"), given.get("operate.time_to_live")
    hours = given.get("workload.run_hours")
    if deadline and alive and alive < deadline:
        message = f"time_to_live ends the nodes after {alive:g} h, before the deadline of {deadline:g} h"
        yield given.problem("operate.time_to_live", message, "give the nodes at least the time of the deadline")
    if deadline and hours and hours > deadline:
        message = f"run_hours {hours:g} is longer than the deadline of {deadline:g} h"
        yield given.problem(
            "workload.run_hours", message, "raise goal.deadline, or give the work instead of its duration"
        )


def _hardware(given: Given) -> Iterator[Problem]:
    """Cards where there can be none, or only cards that compliance forbids."""
    if given.get("workload.task") == "preprocess":
        for key in ("gpus", "gpus_per_node", "gpu_memory"):
            if f"hardware.{key}" in given.places:
                message = f"hardware.{key} has no meaning for task preprocess, which runs on CPU nodes"
                yield given.problem(f"hardware.{key}", message, "leave it out")
    cards = [find_accelerator(member) for _, gpu in given.items("hardware.gpus") for member in expand_alias(gpu)]
    if given.get("where.compliance") == "xinchuang" and cards and all(c and c.vendor == "nvidia" for c in cards):
        message = "compliance xinchuang forbids every card of hardware.gpus"
        yield given.problem("hardware.gpus", message, "name Ascend or Kunlun cards, such as 910B")


def _network(given: Given) -> Iterator[Problem]:
    """Existing networks without their cloud and region; public access for nobody."""
    if "network.vswitch" in given.places and "network.vpc" not in given.places:
        yield given.problem("network.vswitch", "network.vswitch needs network.vpc", "name the VPC that it lies in")
    one_place = len(given.items("where.clouds")) == len(given.items("where.regions")) == 1
    if given.get("network.vpc") and not one_place:
        message = "network.vpc lies in one region of one cloud, which where does not name"
        yield given.problem("network.vpc", message, "give where.clouds and where.regions one entry each")
    if given.get("network.access") == "public" and not given.get("network.ssh_from"):
        message = "network.access public needs network.ssh_from: nobody could log in otherwise"
        yield given.problem("network.access", message, "add ssh_from: [YOUR.ADDRESS/32]")


def _files(given: Given) -> Iterator[Problem]:
    """Files named in the spec that are not there."""
    for path in ("workload.model.config", "prices"):
        problem = _file_problem(given, path)
        if problem:
            yield problem


def _file_problem(given: Given, path: str) -> Problem | None:
    name = given.get(path)
    if name is None:
        return None
    folder = Path(given.file).parent.resolve()
    file = (folder / name).resolve()
    if not file.is_relative_to(folder):
        return given.problem(path, f"{quote(name)} leads out of the spec's folder", "copy the file beside the spec")
    if not file.is_file():
        return given.problem(path, f"no such file: {name}", "paths are relative to the spec's folder")
    return None


def _tags(given: Given) -> Iterator[Problem]:
    """Tags that collide with ours, that are too many, or that a cloud does not take."""
    tags = given.get("tags") or ()
    if len(tags) > MOST_TAGS:
        yield given.problem("tags", f"{len(tags)} tags, but at most {MOST_TAGS} may be your own", "leave some out")
    for key, value in tags:
        if key.startswith(OUR_TAG_PREFIX):
            yield given.problem(
                f"tags.{key}", f"tag '{key}' begins with {OUR_TAG_PREFIX}", "such tags are ours; rename it"
            )
        for cloud in map(find_cloud, _clouds_asked(given)):
            fits = re.fullmatch(cloud.tag_key_pattern, key) and re.fullmatch(cloud.tag_value_pattern, value)
            if not fits:
                yield given.problem(f"tags.{key}", f"{cloud.title} takes no tag '{key}: {value}'", "rename it")
