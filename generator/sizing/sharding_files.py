"""The configuration files by which FSDP and DeepSpeed shard and offload as it was sized."""

from __future__ import annotations

import json

from generator.sizing.estimate import Layout


def fsdp_config(layout: Layout) -> str:
    """`fsdp_config` of the Hugging Face Trainer, JSON: prefetch both ways, recomputation inside the wrapped layers."""
    config = {
        "backward_prefetch": "backward_pre",
        "forward_prefetch": True,
        "limit_all_gathers": True,
        "use_orig_params": True,
        "activation_checkpointing": layout.recompute == "full",
    }
    return json.dumps(config, indent=2) + "\n"


def deepspeed_config(layout: Layout, half: str | None) -> str:
    """A DeepSpeed configuration, JSON: stage, offload, batch and `half` (bf16 | fp16 | None for 32 bit) as sized."""
    stage = int(layout.sharding[-1]) if layout.sharding.startswith("zero") else 2
    zero: dict[str, object] = {"stage": stage, "overlap_comm": True, "contiguous_gradients": True}
    if stage == 3:
        zero["stage3_gather_16bit_weights_on_model_save"] = True
    else:
        zero |= {"reduce_bucket_size": 200_000_000, "allgather_bucket_size": 200_000_000}
    if layout.offload != "none":
        zero["offload_optimizer"] = {"device": "cpu", "pin_memory": True}
    if layout.offload == "all" and stage == 3:
        zero["offload_param"] = {"device": "cpu", "pin_memory": True}
    config = {
        "bf16": {"enabled": half == "bf16"},
        "fp16": {"enabled": half == "fp16"},
        "zero_optimization": zero,
        "gradient_clipping": 1.0,
        "train_micro_batch_size_per_gpu": layout.micro_batch,
        "gradient_accumulation_steps": layout.accumulation,
    }
    return json.dumps(config, indent=2) + "\n"
