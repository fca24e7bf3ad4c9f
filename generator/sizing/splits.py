"""Every legal way to split a job over cards: degrees that divide heads, layers, experts and the global batch."""

from __future__ import annotations

import functools
import itertools
import math

import msgspec

from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Hardware, Layout
from generator.sizing.flops import sample_tokens
from generator.sizing.profiles import Profile, find_profile
from generator.workload import Workload

LONG_SEQUENCE = 16384  # from here on context parallelism is tried
MICRO_TOKENS = 32768  # a larger micro-batch of tokens gains nothing
MICRO_IMAGES = 512  # of 224 x 224 pixels
MAX_PIPELINE = 64
CHUNKS = (1, 2, 3, 4, 6, 8)  # of layers that a pipeline stage holds when interleaved
PIPELINE_MICROS = 3  # smallest micro-batches that are tried with a pipeline: larger ones leave fewer to fill it
CONCURRENT = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)  # requests that a replica serves together


@functools.lru_cache(maxsize=4096)
def divisors(number: int) -> tuple[int, ...]:
    """All divisors, ascending."""
    small = [part for part in range(1, math.isqrt(number) + 1) if number % part == 0]
    return tuple(small + [number // part for part in reversed(small) if part * part != number])


def micro_batches(workload: Workload, per_rank: int, split: int = 1) -> tuple[int, ...]:
    """Micro-batches that divide one replica's share of the global batch, largest first; `split` cards hold a sample."""
    model = workload.model
    if isinstance(model, Transformer):
        most = MICRO_TOKENS * split // sample_tokens(workload, model)
    else:
        size = (workload.image_size or (model.image_size if model else 0) or 224) / 224
        most = int(MICRO_IMAGES / size**2)
    return tuple(size for size in reversed(divisors(per_rank)) if size <= max(1, most))


def _tensor_degrees(model: Transformer, per_node: int) -> tuple[int, ...]:
    """Degrees within one node that divide heads, feed-forward width and key-value heads (or are divided by them)."""
    return tuple(
        degree
        for degree in divisors(per_node)
        if model.heads % degree == 0
        and (model.kv_heads % degree == 0 or degree % model.kv_heads == 0)
        and (model.expert_ffn or model.ffn) % degree == 0
    )


@functools.lru_cache(maxsize=256)
def _pipeline_degrees(layers: int) -> tuple[int, ...]:
    """Stages of equal layers, or equal once embedding and loss count as a layer each (BLOOM: 70 layers, 12 stages)."""
    even = {degree for degree in divisors(layers) if degree <= MAX_PIPELINE}
    counted = {degree for degree in divisors(layers + 2) if degree <= min(MAX_PIPELINE, layers // 4)}
    return tuple(sorted(even | counted))


def _context_degrees(workload: Workload, model: Transformer) -> tuple[int, ...]:
    tokens = workload.sequence_length or 0
    if tokens < LONG_SEQUENCE:
        return (1,)
    return tuple(degree for degree in (1, 2, 4, 8, 16) if tokens % (2 * degree) == 0 and degree <= model.heads)


def _expert_degrees(model: Transformer, data: int) -> tuple[int, ...]:
    if not model.experts:
        return (1,)
    return tuple(degree for degree in divisors(math.gcd(model.experts, data)) if degree <= 64)


def _shardings(workload: Workload, profile: Profile, ranks: int, several_nodes: bool) -> tuple[str, ...]:
    if ranks == 1:
        return ("none",)
    legal = profile.shardings
    if workload.method == "qlora":
        legal = tuple(name for name in legal if name != "zero3")  # 4-bit weights are not partitioned by ZeRO-3
    if not several_nodes:
        legal = tuple(name for name in legal if name != "hsdp")
    return legal or ("none",)


@functools.lru_cache(maxsize=64)
def model_degrees(
    workload: Workload, per_node: int, nvlink: bool
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Legal tensor, pipeline and context degrees on nodes of `per_node` cards, whatever their number; each has 1."""
    model, profile = workload.model, find_profile(workload.profile)
    tensors: tuple[int, ...] = (1,)
    pipelines: tuple[int, ...] = (1,)
    contexts: tuple[int, ...] = (1,)
    if isinstance(model, Transformer):
        if profile.tensor_parallel and nvlink and workload.method != "qlora":
            tensors = _tensor_degrees(model, per_node)
        if profile.pipeline_parallel and workload.method == "full":
            pipelines = _pipeline_degrees(model.layers)
        if profile.context_parallel:
            contexts = _context_degrees(workload, model)
    return tensors, pipelines, contexts


def splits_exactly(workload: Workload, per_node: int, nodes: int, nvlink: bool) -> bool:
    """True when some legal split of the model leaves a number of replicas that divides the global batch."""
    cards = per_node * nodes
    batch = workload.global_batch or cards
    return any(
        cards % inner == 0 and batch % (cards // inner) == 0 for inner in _inner_degrees(workload, per_node, nvlink)
    )


@functools.lru_cache(maxsize=64)
def _inner_degrees(workload: Workload, per_node: int, nvlink: bool) -> tuple[int, ...]:
    """Cards that one replica can take: products of the degrees."""
    return tuple(sorted({math.prod(split) for split in itertools.product(*model_degrees(workload, per_node, nvlink))}))


def training_splits(workload: Workload, hardware: Hardware, offload: str) -> tuple[Layout, ...]:
    """Every legal layout of a training job with the largest micro-batch; with a pipeline, one for each micro-batch.

    Tensor parallelism stays within the NVLink domain of a node; tensor x pipeline x context x data is the number of
    cards; micro-batch x accumulation x data is the global batch.
    """
    return _training_splits(
        workload, hardware.gpus_per_node, hardware.nodes, hardware.interconnect == "nvlink", offload
    )


@functools.lru_cache(maxsize=2048)
def _training_splits(workload: Workload, per_node: int, nodes: int, nvlink: bool, offload: str) -> tuple[Layout, ...]:
    profile = find_profile(workload.profile)
    cards = per_node * nodes
    batch = workload.global_batch or cards
    found: list[Layout] = []
    for tensor, pipeline, context in itertools.product(*model_degrees(workload, per_node, nvlink)):
        inner = tensor * pipeline * context
        if cards % inner or batch % (cards // inner):
            continue
        data = cards // inner
        shardings = _shardings(workload, profile, data * context, data * context * tensor > per_node)
        for expert in _experts(profile, workload.model, data):
            split = Layout(
                tensor=tensor,
                pipeline=pipeline,
                context=context,
                data=data,
                expert=expert,
                sequence_parallel=tensor > 1,
                offload=offload,  # type: ignore[arg-type]
            )
            found += _with_states(workload, split, batch // data, shardings, profile.recompute)
    return tuple(found)


def _experts(profile: Profile, model: object, data: int) -> tuple[int, ...]:
    if profile.expert_parallel and isinstance(model, Transformer):
        return _expert_degrees(model, data)
    return (1,)


def _with_states(
    workload: Workload, split: Layout, per_rank: int, shardings: tuple[str, ...], recompute: tuple[str, ...]
) -> list[Layout]:
    """The split with each micro-batch, sharding and recomputation; a pipeline needs as many micro-steps as stages."""
    micros = micro_batches(workload, per_rank, split.tensor * split.context)
    micros = micros[:1] if split.pipeline == 1 else micros[-PIPELINE_MICROS:]
    replace = msgspec.structs.replace
    found = []
    for micro in micros:
        steps = per_rank // micro
        if split.pipeline > 1 and steps < split.pipeline:
            continue
        interleave = 1
        if split.pipeline > 1 and steps % split.pipeline == 0:
            layers = getattr(workload.model, "layers", 1)
            interleave = max(chunks for chunks in CHUNKS if layers % (split.pipeline * chunks) == 0 or chunks == 1)
        found += [
            replace(
                split,
                sharding=sharding,
                recompute=kept,
                micro_batch=micro,
                accumulation=steps,
                interleave=interleave,
            )
            for sharding in shardings
            for kept in recompute
        ]
    return found


@functools.lru_cache(maxsize=2048)
def serving_splits(workload: Workload, hardware: Hardware) -> tuple[Layout, ...]:
    """Replicas of cards of one node, each with every number of concurrent requests, one first.

    A profile with tensor parallelism splits heads; one without puts whole layers on each card (`device_map`), one after
    the other. A diffusion transformer splits its tokens, with its weights sharded over the same cards.
    """
    model, cards = workload.model, hardware.gpus_per_node
    replicas = [Layout()]
    if isinstance(model, Transformer):
        if find_profile(workload.profile).tensor_parallel:
            replicas = [Layout(tensor=tensor) for tensor in _tensor_degrees(model, cards)]
        else:
            replicas = [Layout(pipeline=stages) for stages in divisors(cards) if stages <= model.layers]
    elif model is not None and model.tokens_per_sample:
        replicas += [Layout(context=parts, sharding="fsdp") for parts in divisors(cards) if parts > 1]
    return tuple(
        msgspec.structs.replace(
            replica,
            data=cards // (replica.tensor * replica.pipeline * replica.context) * hardware.nodes,
            micro_batch=batch,
        )
        for replica in replicas
        for batch in CONCURRENT
    )
