"""Memory of models that are known by the sample: CNNs, ViTs, detectors, U-Nets and diffusion transformers."""

from __future__ import annotations

from generator.sizing.activations import Activations
from generator.sizing.architecture import VisionModel
from generator.sizing.estimate import Hardware, Layout
from generator.sizing.profiles import Profile
from generator.sizing.states import FULL, PURE, States, bucket_copies, frozen_bytes, shards, state_bytes
from generator.workload import Workload

# Saved bytes over the table's: gradients of the layer at hand and what the allocator rounds up (44 timm models);
# detectors meet batches whose padded size is over the nominal one (16 detectron2 rows).
SAVED_RATIO = 1.05
DETECTION_RATIO = 1.13
# A detector's target assigner compares every anchor with every box of the fullest image: boxes, and bytes of its
# tensors a pair. For a whole batch at once 20 tensors of 4 bytes (TAL); image by image 4 over 80 classes (SimOTA).
ASSIGNER_BOXES = 75
ASSIGNER_BYTES = {"batch": 80.0, "image": 1280.0}
# Adapter parameters of a diffusion model's LoRA over its own, per rank: attention projections only.
ADAPTER_SHARE = 1.2e-4
# Bytes of 16-bit encoders that run beside a diffusion model, by parameters above which they apply: SD 1.5 text encoder
# and VAE, SDXL with two, SD3 and larger with T5-XXL.
COMPANION_BYTES = ((8e9, 10e9), (2e9, 10e9), (1e9, 1.8e9), (0.0, 1.0e9))


def sample_scale(model: VisionModel, workload: Workload) -> float:
    """Saved bytes over the table's: by pixels, against the image size of the table."""
    if not model.image_size or not workload.image_size:
        return 1.0
    return (workload.image_size / model.image_size) ** 2


def companion_bytes(model: VisionModel) -> float:
    """Bytes of the text encoders and the autoencoder that run beside a diffusion model; video is trained on latents."""
    return next(size for least, size in COMPANION_BYTES if model.parameters >= least)


def assigner_bytes(model: VisionModel, image_size: int, batch: int) -> float:
    """Bytes of a YOLO's target assigner: anchors at strides 8, 16, 32 x boxes x bytes a pair (x batch)."""
    if model.assigner == "none":
        return 0.0
    anchors = sum((image_size / stride) ** 2 for stride in (8, 16, 32))
    return anchors * ASSIGNER_BOXES * ASSIGNER_BYTES[model.assigner] * (batch if model.assigner == "batch" else 1)


def saved_mb(model: VisionModel, precision: str) -> float:
    """MB (1e6 bytes) saved for one sample; where only one precision is known the other is twice or half of it."""
    full, amp = model.saved_mb_fp32, model.saved_mb_amp
    if precision in FULL:
        return full if full is not None else 2 * (amp or 0.0)
    return amp if amp is not None else 0.5 * (full or 0.0)


def vision_states(
    model: VisionModel, workload: Workload, hardware: Hardware, layout: Layout, precision: str, profile: Profile
) -> States:
    """Weights, gradients and optimizer of one GPU, bytes; autocast copies are in the model's constant part."""
    ranks = shards(hardware, layout)
    full_shard = layout.sharding in ("zero3", "fsdp", "hsdp")
    if workload.method != "full":
        trained = model.parameters * ADAPTER_SHARE * workload.lora_rank
        base = frozen_bytes(workload, precision, profile) * model.parameters
        return States(base / (ranks if full_shard else 1) + 4 * trained, 4 * trained, 8 * trained)
    each = state_bytes(workload, precision, profile)
    whole, spread = model.parameters, model.parameters / ranks
    weights = each.weights * (spread if full_shard else whole)
    gradients = each.gradients * (spread if full_shard or layout.sharding == "zero2" else whole)
    optimizer = each.optimizer * (whole if layout.sharding == "none" else spread)
    weights += profile.ema_bytes * whole
    gradients *= bucket_copies(layout, profile)
    if layout.offload != "none":
        return States(weights, gradients, 0.0, optimizer)
    return States(weights, gradients, optimizer)


def vision_activations(
    model: VisionModel, workload: Workload, layout: Layout, precision: str, profile: Profile
) -> Activations:
    """Saved bytes of one GPU: table x batch x pixels x 1.05 + constant part (autocast's weight copies).

    Full recomputation keeps 40 % of a network of stages (Swin: saves 60 %), a tenth of a plain transformer (2 h of 34 h
    and the layer that runs). Copies of weights are not made of a frozen base.
    """
    del profile
    kept = 1.0
    if layout.recompute == "full":
        kept = 0.4 if model.tokens_per_sample is None else 0.1
    ratio = DETECTION_RATIO if model.family == "detection" else SAVED_RATIO
    saved = saved_mb(model, precision) * 1e6 * ratio * kept * layout.micro_batch * sample_scale(model, workload)
    constant = model.constant_mb_fp32
    if precision not in PURE and workload.method == "full":
        constant = max(constant, model.constant_mb_amp)
    extra = assigner_bytes(model, workload.image_size or model.image_size, layout.micro_batch)
    if model.family == "diffusion":
        extra += companion_bytes(model)
    return Activations(saved + constant * 1e6 + extra, 0.0)
