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
