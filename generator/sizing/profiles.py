"""Frameworks as sizing sees them: what each keeps in memory, how it can spread a job, and the wheels it runs on."""

from __future__ import annotations

import csv
import functools
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from generator.sizing.estimate import Accelerator

TABLES = Path(__file__).parent


class Profile(msgspec.Struct, frozen=True, kw_only=True):
    """One framework at a range of versions. Bytes are per parameter, or per token, layer and unit of width.

    `name+option` (`torchtune+compile+chunked_ce`) is the profile with the fields that `profile_options.csv` sets.
    """

    name: str
    title: str
    libraries: tuple[str, ...]  # whose wheels it runs on: pytorch, torch_npu (Ascend), mindspore, paddle
    version: str
    valid_from: str  # year-month of the first version it describes
    valid_until: str  # after this month the figures are to be measured again
    mixed_weights: float  # bytes a parameter in mixed precision
    mixed_gradients: float
    mixed_optimizer: float  # AdamW states, 32-bit master weights and gradient shards where kept
    step_bytes: float  # what the optimizer step needs besides, once the activations are gone
    cast_bytes: float  # 16-bit copies of 32-bit weights that autocast keeps until the backward pass
    adapter_bytes: float  # a trainable adapter weight
    lora_targets: str  # all linear layers | qv (query and value projections)
    act_h: float  # saved bytes a token and layer, per unit of hidden size, mixed precision, gated MLP
    act_ffn: float  # the same per unit of MLP width
    pure_h: float  # as act_h with 16-bit weights
    frozen_h: float  # as act_h and act_ffn with a frozen base (LoRA)
    frozen_ffn: float
    plain_frozen_h: float  # the same for MLPs without a gate
    plain_frozen_ffn: float
    quantized_h: float  # more, where the base is quantised and its kernels keep their inputs
    plain_h: float  # as act_h and act_ffn for encoders and MLPs without a gate
    plain_ffn: float
    selective_h: float  # what selective recomputation keeps
    selective_ffn: float
    score_bytes: float  # attention score matrix, bytes a head and pair of tokens; 0 with flash attention
    boundary_bytes: float  # input of a layer that full recomputation keeps, bytes a token and unit of hidden size
    unpack_bytes: float  # a weight of the largest matrix, while a quantised layer runs
    quantizing_tables: float  # 16-bit embedding tables that live while a model is quantised at load
    logits_train: float  # bytes a token and vocabulary entry at the loss
    logits_prompt: float  # the same over the prompt in generation; 0 where only the last position is computed
    nf4_bytes: float
    ema_bytes: float  # a moving average of the weights that is kept beside them
    gradient_share: float  # of the gradients that live at once
    gradients_stay: bool  # gradient buffers live through the forward pass too
    buffers_gib: float  # communication buckets
    context_gib: float  # CUDA context and kernels
    workspace_gib: float  # cuBLAS and cuDNN workspaces
    communicator_gib: float  # collectives library, more than one card
    fragmentation: float  # allocator's cache over what is allocated, share of activations and logits
    kv_fragmentation: float  # the same for a key-value cache that grows by copying
    bound_weights: float  # bound over the central estimate: weights and key-value cache
    bound_trained: float  # the same for gradients and optimizer
    bound_dynamic: float  # the same for activations, logits and overhead
    shardings: tuple[str, ...]  # legal ones, best first
    zero_profile: str  # whose memory its ZeRO stages have: the Trainers of Hugging Face hand them to DeepSpeed
    tensor_parallel: bool
    pipeline_parallel: bool
    context_parallel: bool
    expert_parallel: bool
    recompute: tuple[str, ...]
    offload: tuple[str, ...]
    global_batch: int  # sequences or images of the usual recipe
    time_factor: float  # throughput against the roofline constants
    launch_us: float  # host time a layer and pass
    attention_speed: float  # against FlashAttention 2
    time_error: float | None  # mean absolute error of throughput in this stack; None: not measured
    source: str


class Toolchain(msgspec.Struct, frozen=True, kw_only=True):
    """Wheels of one framework for one accelerator stack, and the cards they carry code for."""

    name: str  # pytorch-2.11-cu128
    library: str
    vendor: str
    min_capability: float | None
    max_capability: float | None
    excluded: tuple[float, ...]  # capabilities in between that the wheels lack
    cards: tuple[str, ...]  # prefixes of card names, where capability says nothing (Ascend, Kunlun)
    released: str
    newest: int  # order of preference: greater is newer
    source: str


def _read(table: str) -> list[dict[str, str]]:
    with (TABLES / table).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


_FLAGS = {"yes": True, "no": False}
_LISTS = ("libraries", "shardings", "recompute", "offload", "excluded", "cards")


def _values(row: dict[str, str]) -> dict[str, object]:
    return {key: value.split() if key in _LISTS else _FLAGS.get(value, value or None) for key, value in row.items()}


@functools.cache
def _profiles() -> Mapping[str, Profile]:
    rows = (_values(row) for row in _read("profiles.csv"))
    return MappingProxyType({str(row["name"]): msgspec.convert(row, Profile, strict=False) for row in rows})


@functools.cache
def _options() -> Mapping[str, tuple[tuple[str, str, float], ...]]:
    options: dict[str, tuple[tuple[str, str, float], ...]] = {}
    for row in _read("profile_options.csv"):
        change = (row["profile"], row["field"], float(row["value"]))
        options[row["option"]] = (*options.get(row["option"], ()), change)
    return MappingProxyType(options)


def profile_names() -> tuple[str, ...]:
    """Names of all profiles, as their table orders them."""
    return tuple(_profiles())


def option_names() -> tuple[str, ...]:
    """Options that may follow a profile's name after a plus sign."""
    return tuple(_options())


@functools.cache
def find_profile(name: str) -> Profile:
    """The profile of this name, with its options applied; KeyError names the part nobody knows."""
    base, *options = name.split("+")
    profile = _profiles()[base]
    for option in options:
        changes = {field: value for only, field, value in _options()[option] if only in ("", base)}
        profile = msgspec.structs.replace(profile, **changes)
    return msgspec.structs.replace(profile, name=name) if options else profile


@functools.cache
def memory_profile(name: str, sharding: str) -> Profile:
    """The profile that a job's memory follows under this sharding; options stay."""
    profile = find_profile(name)
    if not sharding.startswith("zero"):
        return profile
    return find_profile("+".join((profile.zero_profile, *name.split("+")[1:])))


@functools.cache
def _toolchains() -> tuple[Toolchain, ...]:
    chains = [msgspec.convert(_values(row), Toolchain, strict=False) for row in _read("toolchains.csv")]
    return tuple(sorted(chains, key=lambda chain: -chain.newest))


def toolchain_names() -> tuple[str, ...]:
    """Names of all toolchains, newest first."""
    return tuple(chain.name for chain in _toolchains())


def find_toolchain(name: str) -> Toolchain | None:
    """The toolchain of this name (`pytorch-2.11-cu128`), or None."""
    return next((chain for chain in _toolchains() if chain.name == name), None)


def supports(chain: Toolchain, card: Accelerator) -> bool:
    """True when the wheels carry code for the card: by compute capability on NVIDIA, by name on Ascend and Kunlun."""
    if chain.vendor != card.vendor:
        return False
    if card.compute_capability is None:
        return any(card.name.startswith(prefix) for prefix in chain.cards)
    capability = float(card.compute_capability)
    if chain.min_capability is None or chain.max_capability is None or capability in chain.excluded:
        return False
    return chain.min_capability <= capability <= chain.max_capability


def default_toolchain(profile: Profile, card: Accelerator) -> Toolchain | None:
    """The newest toolchain of the profile's libraries that supports the card; None when there is none."""
    fitting = (chain for chain in _toolchains() if chain.library in profile.libraries and supports(chain, card))
    return next(fitting, None)
