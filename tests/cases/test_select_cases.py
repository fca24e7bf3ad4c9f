"""Cases of people who did this job: the hardware chosen for their work keeps within what they used and report."""

from pathlib import Path
from typing import Any

import pytest

from generator.catalog import load_catalog
from generator.selection.candidate import Candidate
from tests.markets import candidates, chosen, rejection, selected

ALICLOUD = {"name": "case", "where": {"clouds": ["alicloud"]}}
IMAGENET = {"size": "150GiB", "files": 1281167, "samples": 1281167, "source": "oss://sets/imagenet"}


def best(selection_of: tuple[Candidate, ...], gpu: str) -> int:
    """The place of the first candidate with this card."""
    return next(place for place, candidate in enumerate(selection_of) if candidate.type.gpu == gpu)


def gpus(candidate: Candidate) -> int:
    """Cards of all nodes."""
    return candidate.nodes * candidate.type.gpus


def pick(tmp_path: Path, spec: dict[str, Any]) -> Candidate:
    """What is chosen for a case."""
    return chosen(selected(tmp_path, spec, base=ALICLOUD))


@pytest.mark.parametrize("size", ["1000GiB", "1TB"])
def test_c001_a_terabyte_of_text_in_an_hour_takes_640_vcpus_and_no_gpu(tmp_path: Path, size: str) -> None:
    """C001 (data-juicer): several CPU nodes in one zone, at least 640 vCPUs in all, no spinning disk."""
    spec = {"workload": {"task": "preprocess"}, "data": {"size": size}, "goal.deadline": "1h"}
    selection = selected(tmp_path, spec, base=ALICLOUD)
    for candidate in candidates(selection):
        least = 640 if size == "1000GiB" else 600
        assert candidate.nodes * candidate.type.vcpus >= least
        assert candidate.nodes > 1
        assert candidate.type.gpus == 0
        assert candidate.hours <= 1
        assert all(choice.disk is None or choice.disk.media in {"ssd", "nvme"} for choice in candidate.storage)
    assert {choice.role for choice in chosen(selection).storage} == {"system", "cache", "raw"}


CIFAR = {"workload": {"task": "develop", "model": "resnet18"}, "data": {"size": "0.2GiB", "samples": 50000}}


@pytest.mark.parametrize(("region", "first", "second"), [("cn-beijing", "A10", "T4"), ("ap-southeast-1", "T4", "A10")])
def test_c002_a_small_cnn_takes_one_small_card_the_cheaper_in_its_region(
    tmp_path: Path, region: str, first: str, second: str
) -> None:
    """C002 (pytorch-cifar): one 16 to 24 GB card, 8 vCPU, 30 GiB; A10 before T4, in Singapore the reverse."""
    spec = {**CIFAR, "where.regions": [region], "workload.run_hours": 200}
    ranked = candidates(selected(tmp_path, spec, base=ALICLOUD))
    choice = ranked[0]
    assert (choice.type.gpu, gpus(choice)) == (first, 1)
    assert best(ranked, first) < best(ranked, second)
    assert 16 <= (choice.type.gpu_memory_gib or 0) <= 24
    assert choice.type.vcpus >= 8
    assert choice.type.ram_gib >= 30
    assert sum(piece.size_gib for piece in choice.storage if piece.kind == "disk") >= 200


def test_c002_a10_ranks_above_t4_on_the_mainland_when_it_trains(tmp_path: Path) -> None:
    """C002: the same network trained to the end: the A10 is cheaper by the hour and faster."""
    spec = {
        **CIFAR,
        "workload": {"task": "pretrain", "model": "resnet18", "epochs": 200},
        "hardware.gpus_per_node": "1",
    }
    ranked = candidates(selected(tmp_path, spec, base=ALICLOUD))
    cheapest = [candidate for candidate in ranked if candidate.type.vcpus <= 16]
    assert best(tuple(cheapest), "A10") < best(tuple(cheapest), "T4")
    assert ranked[0].type.gpu in {"A10", "T4"}


YOLO = {
    "workload": {"task": "pretrain", "model": "yolov5x", "epochs": 300, "global_batch": 16},
    "data": {"size": "25GiB", "samples": 118287, "files": 118287, "source": "oss://sets/coco"},
    "goal.deadline": "72h",
}


def test_c004_a_detector_in_three_days_takes_a_few_cards_of_one_node(tmp_path: Path) -> None:
    """C004 (YOLOv5x on COCO): 8 V100-days in 72 h is 2 to 8 mid cards or 1 to 2 A100 in one node, without RDMA."""
    choice = pick(tmp_path, YOLO)
    assert choice.nodes == 1
    assert choice.hours <= 72
    assert 2 <= gpus(choice) <= 8 if choice.type.gpu in {"A10", "V100-SXM-16", "V100-SXM-32"} else gpus(choice) <= 2


def test_c004_one_t4_is_refused_on_time_not_on_memory(tmp_path: Path) -> None:
    """C004: batch 16 fits 16 GB; what fails is the deadline."""
    selection = selected(tmp_path, YOLO, base=ALICLOUD)
    assert rejection(selection, "ecs.gn6i-c8g1.2xlarge").reason == "deadline"


MAE = {
    "workload": {"task": "pretrain", "model": "vit_large_patch16_224", "epochs": 800, "global_batch": 4096},
    "data": IMAGENET,
}


@pytest.mark.parametrize("limit", [{"goal.deadline": "48h"}, {"hardware.nodes": "8", "hardware.gpus_per_node": "8"}])
def test_c005_a_large_vit_takes_rdma_nodes_of_large_cards(tmp_path: Path, limit: dict) -> None:
    """C005 (MAE, 64 V100): several RDMA nodes, cards of 32 GB or more, a parallel file system or local cache."""
    selection = selected(tmp_path, {**MAE, **limit}, base=ALICLOUD)
    choice = chosen(selection)
    assert choice.nodes > 1
    assert choice.type.rdma not in (None, "none")
    assert (choice.type.gpu_memory_gib or 0) >= 32
    assert any(piece.role == "data" and piece.kind in {"file_system", "local"} for piece in choice.storage)
    for other in selection.runners_up:
        if (other.type.gpu_memory_gib or 0) < 32:
            assert "no NVLink" in (other.why_not or "")


def test_c005_a_cluster_of_small_cards_comes_with_a_loud_warning(tmp_path: Path) -> None:
    """C005: when only A10 nodes are allowed the answer says what is wrong with them."""
    choice = pick(tmp_path, {**MAE, "hardware.gpus": ["A10"], "hardware.nodes": "2..16"})
    assert any(reason.startswith("warning:") and "NVLink" in reason for reason in choice.reasons)


def test_c007_a_swin_on_one_node_of_eight_cards(tmp_path: Path) -> None:
    """C007 (Swin-B): 8 cards of 16 GB or more in one node, no RDMA needed, 64 vCPUs, accumulation to 1,024."""
    spec = {
        "workload": {"task": "pretrain", "model": "swin_base_patch4_window7_224", "epochs": 300, "global_batch": 1024},
        "data": IMAGENET,
        "hardware": {"nodes": "1", "gpus_per_node": "8"},
    }
    choice = pick(tmp_path, spec)
    layout = choice.fit.layout
    assert layout is not None
    assert (choice.nodes, choice.type.gpus) == (1, 8)
    assert (choice.type.gpu_memory_gib or 0) >= 16
    assert choice.type.vcpus >= 64
    assert layout.micro_batch * layout.accumulation * layout.data == 1024


def test_c010_a_7b_model_is_tuned_in_full_on_four_a100_40gb(tmp_path: Path) -> None:
    """C010 (Vicuna-7B): 4 cards of 40 GB are accepted, with the states sharded."""
    spec = {
        "workload": {
            "task": "finetune",
            "model": "llama-2-7b",
            "method": "full",
            "sequence_length": 2048,
            "samples": 70000,
        },
        "data": {"size": "1GiB", "samples": 70000, "source": "oss://sets/chat"},
        "hardware": {"nodes": "1", "gpus_per_node": "4", "gpus": ["A100-40GB"]},
    }
    choice = pick(tmp_path, spec)
    assert choice.fit.layout is not None
    assert choice.fit.layout.sharding != "none" or choice.fit.layout.tensor > 1
    assert choice.fit.memory is not None
    assert choice.fit.memory.fits


QLORA = {
    "workload": {
        "task": "finetune",
        "model": "llama-2-7b",
        "method": "qlora",
        "sequence_length": 1024,
        "samples": 50000,
    },
    "data": {"size": "1GiB", "samples": 50000, "source": "oss://sets/alpaca"},
    "where.regions": ["cn-beijing"],
}


def test_c011_a_qlora_needs_one_small_card_and_takes_the_cheaper(tmp_path: Path) -> None:
    """C011 (LLaMA-Factory): 6 GB are enough; one 16 to 24 GB card, and A10 is cheaper than T4 on the list."""
    ranked = candidates(selected(tmp_path, {**QLORA, "hardware.gpu_memory": "<=24GiB"}, base=ALICLOUD))
    assert (ranked[0].type.gpu, gpus(ranked[0])) == ("A10", 1)
    assert best(ranked, "A10") < best(ranked, "T4")


def test_c011_t4_takes_fp16_and_a10_bf16(tmp_path: Path) -> None:
    """C011: the precision follows the card when none is asked."""
    ranked = candidates(selected(tmp_path, {**QLORA, "hardware.gpu_memory": "<=24GiB"}, base=ALICLOUD))
    found = {candidate.type.gpu: candidate.fit.precision for candidate in ranked}
    assert (found["T4"], found["A10"]) == ("fp16", "bf16")


def test_c013_prompt_tuning_of_an_int4_model_fits_a_small_card(tmp_path: Path) -> None:
    """C013 (ChatGLM-6B): any card of 8 GB or more, T4 and A10 among them; a slice below 8 GB is refused."""
    spec = {
        "workload": {
            "task": "finetune", "model": "chatglm-6b", "method": "ptuning", "quantization": "int4", "samples": 20000,
            "sequence_length": 192, "global_batch": 16,
        },
        "data": {"size": "1GiB", "samples": 20000, "source": "oss://sets/adgen"},
    }  # fmt: skip
    selection = selected(tmp_path, spec, base=ALICLOUD)
    assert {"T4", "A10"} <= {candidate.type.gpu for candidate in candidates(selection)}
    assert all((candidate.type.gpu_memory_gib or 0) >= 8 for candidate in candidates(selection))
    slices = [row.id for row in load_catalog("alicloud").types if row.is_slice and (row.gpu_memory_gib or 0) < 8]
    assert slices
    refused = {row.instance_type for row in selection.rejected}
    assert set(slices) <= refused


def test_c014_a_small_pretraining_stays_on_one_node(tmp_path: Path) -> None:
    """C014 (nanoGPT): 124M parameters on one node of 8, no cluster is forced, and a run over a day is checkpointed."""
    spec = {
        "workload": {
            "task": "pretrain",
            "model": "gpt2",
            "tokens": "300B",
            "sequence_length": 1024,
            "global_batch": 480,
        },
        "data": {"size": "54GiB", "source": "oss://sets/openwebtext"},
        "hardware": {"gpus_per_node": "8"},
    }
    choice = pick(tmp_path, spec)
    assert choice.nodes == 1
    assert choice.hours > 24
    assert any(piece.role == "ckpt" for piece in choice.storage)


def test_c049_a_spot_job_has_alternates_and_stock_is_said_to_be_unknown(tmp_path: Path) -> None:
    """C049 (NoStock loops): two or more types of the same card in order; stock and zone are said to be unknown."""
    spec = {**YOLO, "goal.deadline": "400h", "interruptible": True, "checkpoint.every": "20min"}
    spec |= {"hardware": {"gpus_per_node": "1", "gpus": ["A10"]}}
    selection = selected(tmp_path, spec, base=ALICLOUD)
    choice = chosen(selection)
    assert choice.charge == "spot"
    assert len(choice.alternates) == 2
    prices = [alternate.price.amount for alternate in choice.alternates if alternate.price]
    assert prices == sorted(prices)
    assert any("stock" in line and "not known offline" in line for line in selection.unknown)
    assert any("zones" in line and "not known offline" in line for line in selection.unknown)


@pytest.mark.parametrize(
    ("quantization", "instance_type", "fits"),
    [
        ("int8", "ecs.gn6e-c12g1.24xlarge", True),  # 8 x V100 32 GB
        ("int8", "ecs.gn6v-c10g1.20xlarge", False),  # 8 x V100 16 GB
        ("int4", "ecs.gn7i-4x.8xlarge", True),  # 4 x A10 24 GB
    ],
)
def test_c017_a_130b_model_is_served_where_its_authors_say(
    tmp_path: Path, quantization: str, instance_type: str, fits: bool
) -> None:
    """C017 (GLM-130B): INT8 on 8 V100 of 32 GB and not of 16, INT4 on 4 cards of 24 GB."""
    spec = {"workload": {"task": "infer", "model": "glm-130b", "quantization": quantization, "context": 2048}}
    selection = selected(tmp_path, spec, base=ALICLOUD)
    assert (instance_type in {candidate.type.id for candidate in candidates(selection)}) is fits
    assert fits or rejection(selection, instance_type).reason == "memory"


def test_c010_a_13b_model_in_int8_is_served_on_a_t4(tmp_path: Path) -> None:
    """C010: 16 GB hold 13B parameters in int8."""
    spec = {"workload": {"task": "infer", "model": "llama-2-13b", "quantization": "int8", "context": 1024}}
    served = candidates(selected(tmp_path, {**spec, "hardware": {"gpus": ["T4"]}}, base=ALICLOUD))
    assert "ecs.gn6i-c4g1.xlarge" in {candidate.type.id for candidate in served}


def test_c010_replicas_answer_the_requests_asked(tmp_path: Path) -> None:
    """Serving takes as many equal nodes as the rate needs, and one more request a second never takes fewer."""
    spec = {"workload": {"task": "infer", "model": "llama-2-13b", "quantization": "int8", "context": 1024}}
    spec |= {"hardware": {"gpus": ["A10"], "gpus_per_node": "1"}}
    counts = []
    for rate in (1, 4, 16):
        choice = pick(tmp_path, {**spec, "workload.requests_per_second": rate})
        assert choice.fit.time is not None
        assert choice.fit.time.requests_per_s >= rate
        assert any("requests/s" in reason for reason in choice.reasons)
        counts.append(choice.nodes)
    assert counts == sorted(counts)
    assert counts[-1] > counts[0]


def test_c053_many_small_files_on_fast_cards_need_more_than_one_slow_disk(tmp_path: Path) -> None:
    """C053: what 8 fast cards read is met by the storage chosen, whatever its kind, and 64 vCPUs feed them."""
    spec = {
        "workload": {"task": "pretrain", "model": "resnet50", "precision": "fp16", "epochs": 90, "global_batch": 2048},
        "data": {**IMAGENET, "on": "disk"},
        "hardware": {"gpus": ["A100-80GB"], "nodes": "1", "gpus_per_node": "8"},
    }
    choice = pick(tmp_path, spec)
    data = next(piece for piece in choice.storage if piece.role == "data")
    assert (data.mbps or 0) >= choice.fit.storage.read_mbps
    assert data.level in {"PL2", "PL3"}
    assert choice.type.vcpus >= 64


DINO = {
    "workload": {"task": "pretrain", "model": "vit_large_patch16_224", "global_batch": 3072, "run_hours": 80},
    "data": {"size": "700GiB", "files": 14_200_000, "samples": 14_200_000, "source": "oss://sets/in22k"},
    "hardware": {"gpus": ["A100-80GB"], "nodes": 12, "gpus_per_node": 8},
}


def test_c008_twelve_nodes_for_three_days_are_an_rdma_cluster_with_a_list_price(tmp_path: Path) -> None:
    """C008 (DINOv2): RDMA, one region, a checkpoint without being asked, about 267,000 CNY on the list."""
    choice = pick(tmp_path, DINO)
    assert (choice.nodes, gpus(choice), choice.charge) == (12, 96, "on_demand")
    assert choice.type.rdma == "erdma"
    assert choice.run is not None
    assert 0.9 < float(choice.run.amount) / 267_000 < 1.1
    assert {piece.role for piece in choice.storage} >= {"data", "ckpt"}
    assert any(
        line.startswith("checkpoint.every: every 1h") for line in selected(tmp_path, DINO, base=ALICLOUD).assumptions
    )


BLOOM = {
    "workload": {
        "task": "pretrain",
        "model": "bloom-176b",
        "framework": "megatron",
        "precision": "bf16",
        "global_batch": 2048,
        "sequence_length": 2048,
        "tokens": "366B",
    },
    "data": {"size": "1500GiB", "source": "oss://sets/roots"},
    "checkpoint": {"every": "180min", "to": "file_system", "keep": 3},
    "hardware": {"gpus": ["A100-80GB"], "nodes": 48, "gpus_per_node": 8},
}


def test_c016_a_run_of_months_on_48_nodes_is_offered_spare_ones(tmp_path: Path) -> None:
    """C016 (BLOOM): 4 spare nodes proposed, RAM of the data's size not asked, room and rate for 3 checkpoints."""
    choice = pick(tmp_path, BLOOM)
    assert gpus(choice) == 384
    assert any("hardware.spare_nodes: 4" in reason for reason in choice.reasons)
    assert choice.type.ram_gib < 1500
    shared = next(piece for piece in choice.storage if piece.kind == "file_system")
    assert shared.size_gib > 1500 + 3 * 2100
    assert (shared.mbps or 0) >= choice.fit.storage.checkpoint_mbps > 0
    paid = pick(tmp_path, {**BLOOM, "hardware.spare_nodes": 4})
    assert paid.spare_nodes == 4
    assert paid.costs[0].quantity == 52


def test_c020_a_video_model_on_64_cards_names_what_is_sold_for_h800(tmp_path: Path) -> None:
    """C020 (Open-Sora): 80 GB cards with RDMA and a parallel file system; H800 alone is refused with what is sold."""
    spec = {
        "workload": {"task": "pretrain", "model": {"parameters": "0.7B"}, "global_batch": 256, "run_hours": 216},
        "data": {"size": "5TiB", "samples": 1_000_000, "source": "oss://sets/video"},
        "hardware": {"gpus": ["H800", "A100-80GB"], "nodes": 8, "gpus_per_node": 8},
    }
    choice = pick(tmp_path, spec)
    assert (gpus(choice), choice.type.gpu_memory_gib) == (64, 80)
    assert choice.type.rdma not in (None, "none")
    assert any(piece.role == "data" and piece.kind == "file_system" for piece in choice.storage)
    assert any(piece.role == "ckpt" for piece in choice.storage)
    alone = selected(tmp_path, {**spec, "hardware.gpus": ["H800"]}, base=ALICLOUD)
    assert alone.chosen is None
    assert any(row.field == "hardware.gpus" and row.candidate for row in alone.relax)


@pytest.mark.parametrize(
    ("method", "hardware", "offload"),
    [
        ("lora", {"gpus": ["A10"], "nodes": 1, "gpus_per_node": 1}, "none"),
        ("full", {"gpus": ["A10"], "nodes": 1, "gpus_per_node": "1..8"}, "all"),
        ("full", {"gpus": ["A100-80GB"], "nodes": 1, "gpus_per_node": 8}, "none"),
    ],
)
def test_c022_a_5b_model_is_tuned_where_the_authors_of_its_video_twin_did(
    tmp_path: Path, method: str, hardware: dict[str, Any], offload: str
) -> None:
    """C022 (CogVideoX): LoRA on one card; all parameters on 8 A100, and on A10 only with all state in host RAM."""
    spec = {
        "workload": {"task": "finetune", "model": {"parameters": "5B"}, "method": method, "global_batch": 8},
        "data": {"size": "20GiB", "samples": 2000, "source": "oss://sets/video"},
        "hardware": hardware,
    }
    layout = pick(tmp_path, spec).fit.layout
    assert layout is not None
    assert layout.offload == offload


def test_c023_a_small_video_model_takes_one_small_card_and_a_large_one_a_big_card(tmp_path: Path) -> None:
    """C023 (Wan2.1): 1.3B is served by one T4 or A10 and not by 8 cards; 14B by no card of 24 GB alone."""
    small = {"workload": {"task": "infer", "model": {"parameters": "1.3B"}, "precision": "fp16", "context": 4096}}
    choice = pick(tmp_path, small)
    assert gpus(choice) == 1
    assert (choice.type.gpu_memory_gib or 0) <= 24
    large = {"workload": {"task": "infer", "model": {"parameters": "14B"}, "precision": "fp16", "context": 4096}}
    served = candidates(selected(tmp_path, large, base=ALICLOUD))
    assert all(gpus(other) * (other.type.gpu_memory_gib or 0) > 28 for other in served)
    eight = pick(tmp_path, {**large, "hardware": {"nodes": 1, "gpus_per_node": 8}})
    assert (eight.nodes, eight.type.gpus) == (1, 8)


def test_c044_twenty_days_on_spot_need_a_checkpoint(tmp_path: Path) -> None:
    """C044 (Huawei's own note on spot): a run without a checkpoint is warned of; saved often it may."""
    spec = {
        "name": "case",
        "workload": {"task": "pretrain", "model": "gpt2", "run_hours": 480},
        "data": {"size": "40GiB", "source": "obs://sets/text"},
        "interruptible": True,
        "where": {"clouds": ["huaweicloud"]},
    }
    careless = chosen(selected(tmp_path, {**spec, "checkpoint": "none"}, load_catalog("huaweicloud"), base={}))
    assert any("SP001" in reason and "flexible work only" in reason for reason in careless.reasons)
    saved = {**spec, "checkpoint": {"every": "20min", "to": "bucket"}}
    choice = chosen(selected(tmp_path, saved, load_catalog("huaweicloud"), base={}))
    assert choice.charge == "spot"
    assert any(piece.role == "ckpt" and piece.kind == "bucket" for piece in choice.storage)
    assert not any("SP001" in reason for reason in choice.reasons)


def test_c050_two_nvlink_nodes_want_rdma(tmp_path: Path) -> None:
    """C050 (NCCL): A100 nodes without RDMA are refused for the fabric; with it, communication is hidden."""
    spec = {
        "workload": {"task": "pretrain", "model": "llama-2-7b", "tokens": "10B", "global_batch": 512},
        "data": {"size": "100GiB", "source": "oss://sets/tokens"},
        "hardware": {"gpus": ["A100-80GB"], "nodes": 2, "gpus_per_node": 8},
    }
    selection = selected(tmp_path, spec, base=ALICLOUD)
    assert rejection(selection, "ecs.ebmgn7e.32xlarge").reason == "fabric"
    time = chosen(selection).fit.time
    assert time is not None
    assert time.exposed_ratio < 0.2
