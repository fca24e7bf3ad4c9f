"""Writes `more_samples.csv`, detectors by arithmetic: `python -m generator.imports.detectors`.

No profiler ran on these. Each tensor that the backward pass needs is counted once, at 800 x 1333 pixels, in 32 bit: in
a bottleneck of width w the two inner outputs and the block's (2 w + out), the pyramid's laterals and outputs, and the
heads' inputs. Stem and first stage are frozen, as both toolboxes do. Frozen batch norm (detectron2) saves nothing;
batch norm in evaluation mode (OpenMMLab) saves its input, as many bytes again in the backbone.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from generator.imports.tables import read_table, write_table

SIZING = Path(__file__).parents[1] / "sizing"

# Positions of one image at strides 4, 8, 16, 32, 64.
AT = {4: 200 * 334, 8: 100 * 167, 16: 50 * 84, 32: 25 * 42, 64: 13 * 21}
PYRAMID = sum(AT.values())
MB = 4 / 1e6

# Blocks of stages 3 to 5, width over that of ResNet, millions of parameters, forward GFLOPs at 224 pixels.
BACKBONES = {
    "r50": ((4, 6, 3), 1.0, 23.5, 8.178),
    "x50_32x4d": ((4, 6, 3), 1.0, 23.0, 8.461),
    "r101": ((4, 23, 3), 1.0, 42.5, 15.603),
    "x101_32x4d": ((4, 23, 3), 1.0, 42.1, 15.94),
    "x101_32x8d": ((4, 23, 3), 2.0, 86.7, 32.828),
    "x101_64x4d": ((4, 23, 3), 2.0, 81.4, 31.0),
}
WIDER = {"x50_32x4d": 2.0, "x101_32x4d": 2.0, "x101_32x8d": 4.0, "x101_64x4d": 4.0}  # inner width over ResNet's


def backbone_mb(name: str, last: int = 5, dilated: bool = False) -> float:
    """MB saved by stages 3 to `last` and the first stage's output; `dilated` keeps stage 5 at stride 16."""
    blocks = BACKBONES[name][0]
    inner = 2 * WIDER.get(name, 1.0)
    elements = 256.0 * AT[4]
    for stage, count in zip((3, 4, 5), blocks, strict=True):
        if stage <= last:
            width = 128 * 2 ** (stage - 3)
            stride = 16 if stage == 5 and dilated else 8 * 2 ** (stage - 3)
            elements += count * (inner * width + 4 * width) * AT[stride]
    return elements * MB


FPN = 2 * 256 * PYRAMID * MB  # laterals and outputs
RPN = 256 * PYRAMID * MB + 5.0  # its 3x3 layer; anchors and scores
BOX = 512 * (256 * 49 + 2 * 1024) * MB  # 512 regions of 7 x 7
MASK = 128 * (5 * 256 * 196 + 256 * 784 + 2 * 80 * 784) * MB  # 128 regions of 14 x 14, four layers, upsampled
KEYPOINT = 128 * (8 * 512 * 196 + 3 * 17 * 56 * 56) * MB
C4 = 512 * (1024 * 196 + 3 * 3072 * 49) * MB  # stage 5 on 512 regions
DC5 = 512 * (2048 * 49 + 2 * 1024) * MB
RETINA = (8 * 256 + 5 * 720) * (PYRAMID - AT[4]) * MB  # two towers of four layers, 720 scores with focal loss
PANOPTIC = (2 * 128 * 5.3 + 54 * 16) * AT[4] * MB  # semantic branch at four levels, its scores at full size

# Name, backbones, saved MB besides the backbone, parameters of neck and heads in millions, GFLOPs of neck and heads.
HEADS = (
    ("fasterrcnn_{}_fpn", ("r50", "r101", "x101_32x8d"), FPN + RPN + BOX, 18.3, 155),
    ("maskrcnn_{}_fpn", ("r50", "r101", "x101_32x4d", "x101_32x8d", "x101_64x4d"), FPN + RPN + BOX + MASK, 21.0, 260),
    ("keypointrcnn_{}_fpn", ("r50",), FPN + RPN + BOX + KEYPOINT, 35.6, 300),
    ("fastrcnn_{}_fpn", ("r50",), FPN + BOX, 17.7, 140),
    ("rpn_{}_fpn", ("r50",), FPN + RPN, 3.9, 140),
    ("panoptic_{}_fpn", ("r50",), FPN + RPN + BOX + MASK + PANOPTIC, 22.4, 400),
    ("retinanet_{}_fpn", ("r50", "r101"), FPN * 0.25 + RETINA, 14.4, 240),
)


def row(
    name: str, family: str, saved_mb: float, parameters: float, gflops: float, size: int, source: str
) -> dict[str, Any]:
    """One line of the table; 16-bit activations are half, and AMP keeps 2 bytes a parameter of cast weights."""
    return {
        "name": name, "family": family, "parameters": round(parameters), "image_size": size,
        "forward_gflops": round(gflops, 1), "saved_mb_fp32": round(saved_mb, 1), "saved_mb_amp": round(saved_mb / 2, 1),
        "constant_mb_fp32": 0, "constant_mb_amp": round(2 * parameters / 1e6, 1), "tokens_per_sample": None,
        "assigner": None, "source": source, "note": None,
    }  # fmt: skip


def detectors() -> list[dict[str, Any]]:
    """Two-stage and one-stage detectors on ResNet backbones, with frozen and (`_bn`) with evaluated batch norm."""
    rows = []
    scale = 800 * 1333 / 224**2
    source = "saved tensors counted by generator/imports/detectors.py"
    for pattern, names, heads_mb, heads_m, heads_gflops in HEADS:
        for name in names:
            body = backbone_mb(name)
            parameters = (BACKBONES[name][2] + heads_m) * 1e6
            gflops = BACKBONES[name][3] * scale + heads_gflops
            title = pattern.format(name)
            rows.append(row(title, "detection", body + heads_mb, parameters, gflops, 1033, source))
            rows.append(row(f"{title}_bn", "detection", 2 * body + heads_mb, parameters, gflops, 1033, source))
    smaller = 800 * 800 / (800 * 1333)  # MLPerf's detector on square images
    body = (2 * backbone_mb("x50_32x4d") + FPN * 0.25 + RETINA) * smaller
    gflops = 8.461 * 800**2 / 224**2 + 240 * smaller
    rows.append(row("retinanet_x50_32x4d_800", "detection", body, 37.4e6, gflops, 800, source))
    four = backbone_mb("r50", last=4)
    five = backbone_mb("r50", dilated=True)
    rows += [
        row("rpn_r50_c4", "detection", four + 1024 * AT[16] * MB, 13.3e6, 160, 1033, source),
        row("fasterrcnn_r50_c4", "detection", four + C4, 33.6e6, 1200, 1033, source),
        row("maskrcnn_r50_c4", "detection", four + C4 + 0.2 * MASK, 35.9e6, 1250, 1033, source),
        row("fasterrcnn_r50_dc5", "detection", five + 0.3 * RPN + DC5, 166e6, 500, 1033, source),
        row("maskrcnn_r50_dc5", "detection", five + 0.3 * RPN + DC5 + MASK * 1.9, 172e6, 620, 1033, source),
        row(
            "ssd300_resnet50",
            "detection",
            85.91 * (300 / 224) ** 2 * 1.35,
            22.9e6,
            8.178 * (300 / 224) ** 2 * 1.9,
            300,
            source,
        ),
    ]
    return rows


# Parameters in millions and GFLOPs as their pages publish; saved bytes by those of the same network's newer form.
CLASSIC_YOLO = {"n": (1.9, 4.5), "s": (7.2, 16.5), "m": (21.2, 49.0), "l": (46.5, 109.1), "x": (86.7, 205.7)}
YOLOX = {"s": (9.0, 26.8), "m": (25.3, 73.8), "l": (54.2, 155.6), "x": (99.1, 281.9)}


def yolos() -> list[dict[str, Any]]:
    """YOLOv5 as first published (a fifth less activation memory than `yolov5u`), its P6 form, and YOLOX by FLOPs."""
    newer = {line["name"]: line for line in read_table(SIZING / "vision_zoo.csv")}
    rows = []
    for size, (millions, gflops) in CLASSIC_YOLO.items():
        saved = 0.8 * float(newer[f"yolov5{size}"]["saved_mb_fp32"])
        source = "ultralytics/yolov5 README; saved bytes 0.8 x the anchor-free graph"
        rows.append(row(f"yolov5{size}-v6", "yolo", saved, millions * 1e6, gflops, 640, source))
        rows.append(row(f"yolov5{size}6", "yolo", saved * 4 * 1.03, millions * 1.75e6, gflops * 4.1, 1280, source))
    for size, (millions, gflops) in YOLOX.items():
        like = newer[f"yolov5{size}"]
        saved = float(like["saved_mb_fp32"]) * gflops / float(like["forward_gflops"])
        source = "Megvii-BaseDetection/YOLOX README; saved bytes by FLOPs from yolov5u"
        rows.append(row(f"yolox-{size}", "yolo", saved, millions * 1e6, gflops, 640, source) | {"assigner": "image"})
    return rows


def main() -> None:
    """Write `more_samples.csv`."""
    rows = detectors() + yolos()
    write_table(SIZING / "more_samples.csv", rows[0], rows, sort=False)


if __name__ == "__main__":
    main()
