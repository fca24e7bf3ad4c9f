"""Turns the shared sizing facts into our tables: `python -m generator.imports.sizing PATH_TO_SHARED_DATA`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

from generator.imports.tables import write_table

TABLES = Path(__file__).parents[1] / "sizing"
ROWS = Path(__file__).parents[2] / "tests" / "data" / "measurements.yaml"

ENCODERS = ("bert-base", "bert-large", "roberta-base", "roberta-large", "ernie-3.0-base-zh")
SHAPE = ("hidden", "layers", "heads", "kv_heads", "head_dim", "ffn", "vocab", "context")
FAMILIES = {"tvseg": "segmentation", "yolo": "yolo", "timm": "timm"}


def vendor(name: str) -> str:
    """The maker of a card, by its canonical name."""
    return "ascend" if name.startswith("Ascend") else "kunlun" if name.startswith("Kunlun") else "nvidia"


def accelerator_rows(gpus: list[dict[str, Any]], source: str) -> list[dict[str, Any]]:
    """Cards: GB of the data sheet are GiB on NVIDIA cards; TFLOPS are dense, with FP32 accumulation."""
    return [
        {
            "name": gpu["name"],
            "vendor": vendor(gpu["name"]),
            "arch": gpu["arch"],
            "memory_gib": gpu["mem_gb"],
            "bandwidth_gbytes_s": gpu["mem_bw_gbs"],
            "fp32_tflops": gpu.get("fp32_tflops"),
            "tf32_tflops": gpu.get("tf32_tflops"),
            "fp16_tflops": gpu["fp16_tc_tflops"],
            "bf16_tflops": gpu.get("bf16_tflops") if gpu["supports_bf16"] else None,
            "fp8_tflops": gpu.get("fp8_tflops") if gpu["supports_fp8"] else None,
            "int8_tops": None,
            "nvlink_gbytes_s": gpu.get("nvlink_bidir_gbs", 0),
            "compute_capability": gpu.get("compute_capability"),
            "tdp_w": gpu.get("tdp_w"),
            "confidence": gpu["confidence"],
            "source": source,
            "note": _readable(gpu.get("note")),
        }
        for gpu in gpus
    ]


def _readable(note: str | None) -> str | None:
    """A note in which the two documents behind the rules are called what they are, not by the names of their files."""
    if note is None:
        return None
    return note.replace("000_750556b2fc5ba6dd.txt", "the general source document")


def llm_rows(zoo: dict[str, dict[str, Any]], source: str) -> list[dict[str, Any]]:
    """Transformers by shape; counts in units."""
    rows = []
    for name, shape in zoo.items():
        moe, mla = shape.get("moe", {}), shape.get("mla", {})
        expert_ffn = moe.get("expert_ffn")
        rows.append(
            {"name": name, "published_b": shape.get("published_b")}
            | {key: shape[key] for key in SHAPE}
            | {
                "parameters": round(shape["params_b"] * 1e9),
                "active_parameters": round(shape.get("active_b", shape["params_b"]) * 1e9),
                "tied_embeddings": shape["tied_embeddings"],
                "gated_mlp": shape["gated_mlp"],
                "encoder_only": name in ENCODERS,
                "encoder_layers": 0,
                "experts": moe.get("experts"),
                "experts_per_token": moe.get("top_k"),
                "expert_ffn": expert_ffn,
                "shared_experts": moe["shared_ffn"] // expert_ffn if moe else None,
                "dense_layers": moe.get("dense_layers"),
                "kv_lora_rank": mla.get("kv_lora"),
                "rope_head_dim": mla.get("qk_rope"),
                "q_lora_rank": mla.get("q_lora"),
                "source": source,
            }
        )
    return rows


def vision_rows(zoo: dict[str, dict[str, Any]], source: str) -> list[dict[str, Any]]:
    """Vision models: saved-for-backward MB (1e6 bytes) and FLOPs a sample at the stated input."""
    return [
        {
            "name": name,
            "family": FAMILIES[model["kind"]],
            "parameters": round(model["params_m"] * 1e6),
            "image_size": model["input"][1],
            "forward_gflops": model["fwd_gflops"],
            "saved_mb_fp32": model["act_mb_fp32"],
            "saved_mb_amp": model["act_mb_amp"],
            "constant_mb_fp32": model["const_mb_fp32"],
            "constant_mb_amp": model["const_mb_amp"],
            "tokens_per_sample": None,
            "assigner": "batch" if model["kind"] == "yolo" else None,
            "source": source,
            "note": model.get("note"),
        }
        for name, model in zoo.items()
    ]


# Input of the models that are neither transformers nor listed by image size: (family, pixels a side, tokens a sample).
OTHER_INPUTS: dict[str, tuple[str, int, int | None]] = {
    "sd15-unet": ("diffusion", 512, None),
    "sdxl-unet": ("diffusion", 1024, None),
    "sd3-medium-mmdit": ("diffusion", 1024, 4250),
    "flux1-dev": ("diffusion", 1024, 4608),
    "unet-2d-64ch-512": ("segmentation", 512, None),
    "maskrcnn_resnet50_fpn": ("detection", 1033, None),  # 800 x 1333, as a square
    "fasterrcnn_resnet50_fpn": ("detection", 1033, None),
    "retinanet_resnet50_fpn": ("detection", 1033, None),
}


def other_rows(zoo: dict[str, dict[str, Any]], source: str) -> list[dict[str, Any]]:
    """Diffusion, audio, text-to-text and detectors by saved MB a sample; image size 0: the input is no image."""
    rows = []
    for name, model in zoo.items():
        family, image_size, tokens = OTHER_INPUTS.get(name, ("other", 0, None))
        fp32 = model.get("backbone_fpn_act_mb_fp32")
        amp = model.get("act_mb_amp_flash")
        rows.append(
            {
                "name": name,
                "family": family,
                "parameters": round(model["params_m"] * 1e6),
                "image_size": image_size,
                "forward_gflops": model.get("fwd_gflops_linear_conv", model.get("backbone_fpn_fwd_gflops")),
                "saved_mb_fp32": fp32,
                "saved_mb_amp": amp,
                "constant_mb_fp32": 0,
                "constant_mb_amp": round(2 * model["params_m"], 1),
                "tokens_per_sample": tokens,
                "assigner": None,
                "source": source,
                "note": model["input"],
            }
        )
    return rows


def main(folder: Path) -> None:
    """Write every table that comes from the shared file, and carry its measured rows in the project."""
    text = (folder / "sizing-validation.yaml").read_text(encoding="utf-8")
    facts = yaml.load(text, Loader=yaml.CSafeLoader)
    source = f"sizing facts of {facts['meta']['generated']}"
    tables = {
        "accelerators.csv": accelerator_rows(facts["gpus"], f"{source}, gpus"),
        "llm_zoo.csv": llm_rows(facts["llm_zoo"], f"{source}, llm_zoo"),
        "vision_zoo.csv": vision_rows(facts["vision_zoo"], f"{source}, vision_zoo"),
        "other_zoo.csv": other_rows(facts["multimodal_zoo"], f"{source}, multimodal_zoo"),
    }
    for name, rows in tables.items():
        write_table(TABLES / name, rows[0], rows, sort=False)
    write_measurements(text)


def write_measurements(text: str) -> None:
    """Carry sources and rows, as they stand, in `tests/data/measurements.yaml`; the other sections became tables."""
    lines = text.splitlines(keepends=True)
    starts = {line.split(":")[0]: number for number, line in enumerate(lines) if line[0].isalpha()}
    head = [
        "# Measurements that sizing is scored on: each row has its source, each source its repository and commit.\n",
        "# Rows marked holdout carry no value. Written by generator/imports/sizing.py.\n",
    ]
    kept = lines[starts["meta"] : starts["gpus"]] + lines[starts["sources"] :]
    ROWS.write_text("".join(head + kept), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
