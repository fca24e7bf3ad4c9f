"""Peak memory of one GPU by part, with a bound: states, activations, logits, cache and overhead put together."""

from __future__ import annotations

import msgspec

from generator.sizing.activations import transformer_activations
from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Hardware, Layout, Memory
from generator.sizing.inference_memory import serve_sample_model, serve_transformer
from generator.sizing.profiles import Profile, memory_profile
from generator.sizing.states import transformer_states
from generator.sizing.vision_memory import vision_activations, vision_states
from generator.workload import Workload

GIB = 2.0**30


class Parts(msgspec.Struct, frozen=True):
    """Peak memory of the most loaded GPU, bytes; `driver` is what no allocator sees (context, communicators)."""

    weights: float
    gradients: float
    optimizer: float
    activations: float
    logits: float
    kv_cache: float
    workspace: float  # cuDNN and cuBLAS workspaces, communication buckets
    cache: float  # what the allocator keeps beyond what is asked of it
    driver: float
    host: float

    @property
    def states(self) -> float:
        """What follows from the number of parameters or tokens alone."""
        return self.weights + self.gradients + self.optimizer + self.kv_cache

    @property
    def total(self) -> float:
        """All of it, as the driver shows."""
        return self.states + self.activations + self.logits + self.workspace + self.cache + self.driver


EMPTY = Parts(*(0.0,) * 10)


def estimate_memory(workload: Workload, hardware: Hardware, layout: Layout, precision: str) -> Memory:
    """Peak memory of the most loaded GPU as the driver shows it, GiB by part, and the bound that holds 95 times in 100.

    Preprocessing and development without a model need none. Sources of the parts: their own functions.
    """
    profile = memory_profile(workload.profile, layout.sharding)
    parts = peak_parts(workload, hardware, layout, precision, profile)
    return Memory(
        weights=parts.weights / GIB,
        gradients=parts.gradients / GIB,
        optimizer=parts.optimizer / GIB,
        activations=parts.activations / GIB,
        logits=parts.logits / GIB,
        overhead=(parts.workspace + parts.cache + parts.driver) / GIB,
        kv_cache=parts.kv_cache / GIB,
        total=parts.total / GIB,
        bound=bound_bytes(parts, profile) / GIB,
        usable=hardware.usable_gib,
        host_ram_gib=parts.host * hardware.gpus_per_node / GIB,
    )


def peak_parts(workload: Workload, hardware: Hardware, layout: Layout, precision: str, profile: Profile) -> Parts:
    """Peak memory of the most loaded GPU by part, bytes; the parts of an absent model are 0."""
    model = workload.model
    if model is None:
        return EMPTY
    gpus = hardware.gpus_per_node * hardware.nodes
    if workload.task == "infer":
        serve = (
            serve_transformer(model, workload, layout, precision, profile)
            if isinstance(model, Transformer)
            else serve_sample_model(model, workload, layout, precision, profile)
        )
        weights, gradients, optimizer, host = serve.weights, 0.0, 0.0, 0.0
        activations, logits, cache = serve.working, serve.logits, serve.kv_cache
        kept = profile.fragmentation * (activations + logits) + profile.kv_fragmentation * cache
    else:
        if isinstance(model, Transformer):
            states = transformer_states(model, workload, hardware, layout, precision, profile)
            live = transformer_activations(model, workload, layout, precision, profile)
        else:
            states = vision_states(model, workload, hardware, layout, precision, profile)
            live = vision_activations(model, workload, layout, precision, profile)
        weights, gradients, optimizer, host = states.weights, states.gradients, states.optimizer, states.host
        activations, logits, cache = live.saved, live.logits, 0.0
        kept = profile.fragmentation * (activations + logits)
        if not gradients_wait(workload, layout, profile):
            activations, logits = beside(gradients, activations, logits)
        activations = max(activations, states.step - logits)
    workspace = (profile.workspace_gib + (profile.buffers_gib if workload.task != "infer" else 0.0)) * GIB
    driver = profile.context_gib * GIB
    if gpus > 1 and layout.tensor * layout.pipeline * layout.data * layout.context > 1:
        driver += profile.communicator_gib * GIB
    return Parts(weights, gradients, optimizer, activations, logits, cache, workspace, kept, driver, host)


def gradients_wait(workload: Workload, layout: Layout, profile: Profile) -> bool:
    """True when gradients are there while activations are saved: accumulation, DDP's buckets, framework's buffers."""
    buckets = layout.sharding == "none" and layout.data > 1
    return profile.gradients_stay or layout.accumulation > 1 or buckets or workload.method != "full"


def beside(gradients: float, activations: float, logits: float) -> tuple[float, float]:
    """Activations and logits that the peak holds over the gradients, bytes.

    Without accumulation gradients appear as activations go, so that the peak is max(activations + logits, gradients).
    """
    rest = max(0.0, activations + logits - gradients)
    return max(0.0, rest - logits), min(rest, logits)


def bound_bytes(parts: Parts, profile: Profile) -> float:
    """The figure that 95 of 100 measurements stay under, bytes: three kinds of parts, each with its margin."""
    known, trained = parts.weights + parts.kv_cache, parts.gradients + parts.optimizer
    rest = parts.total - known - trained
    return profile.bound_weights * known + profile.bound_trained * trained + profile.bound_dynamic * rest
