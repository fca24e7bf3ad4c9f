"""What a job asks of storage."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.sizing.estimate import Layout
from generator.sizing.flops import count_work
from generator.sizing.storage_need import GIB, NOTICE_S, sample_bytes, state_bytes, storage_need
from generator.workload import Checkpoint, Data, Interruptible, Workload
from tests.sizing.jobs import cpu_nodes, job, machines

IMAGES = Data(size_gib=150, files=1_281_167, samples=1_281_167)


def bytes_of(workload: Workload, precision: str) -> tuple[float, float]:
    return state_bytes(workload, count_work(workload, precision), precision)


@pytest.mark.parametrize(
    ("precision", "optimizer", "weights", "whole"),
    [
        ("bf16", "adamw", 2, 14),
        ("fp32", "adamw", 4, 12),
        ("bf16_pure", "adamw", 2, 6),
        ("bf16", "sgd", 2, 10),
        ("bf16", "adamw_8bit", 2, 8.03),
        ("bf16_pure", "paged_adamw_8bit", 2, 4.03),
    ],
)
def test_a_checkpoint_is_so_many_bytes_a_parameter(
    precision: str, optimizer: str, weights: float, whole: float
) -> None:
    """Weights alone, and with 32-bit master weights and the optimizer's moments; paged moments are saved too."""
    workload = job("llama-2-7b", precision=precision, optimizer=optimizer)
    small, big = bytes_of(workload, precision)
    assert workload.model is not None
    assert small / workload.model.parameters == pytest.approx(weights)
    assert big / workload.model.parameters == pytest.approx(whole)


def test_an_adapter_is_saved_without_its_base() -> None:
    """A LoRA checkpoint of 7B is under 1 GiB where the full one is over 80."""
    full, lora = (bytes_of(job("llama-2-7b", method=method), "bf16")[1] / GIB for method in ("full", "lora"))
    assert lora < 1
    assert full > 80


@given(
    every=st.floats(1, 600),
    nodes=st.integers(1, 64),
    spot=st.booleans(),
    keep=st.integers(1, 10),
)
def test_a_checkpoint_is_written_within_its_interval_or_as_fast_as_nodes_can(
    every: float, nodes: int, spot: bool, keep: int
) -> None:
    """The write stays within 3 % of the interval, and on spot within half the notice, but for 1 GB/s a node."""
    workload = job(
        "llama-3-70b",
        checkpoint=Checkpoint(every_minutes=every, to="bucket", keep=keep),
        interruptible=Interruptible() if spot else None,
    )
    need = storage_need(workload, machines("A100-SXM-80", nodes=nodes), Layout(data=8 * nodes), 10.0, "bf16")
    assert need.checkpoint_write_s == pytest.approx(need.checkpoint_gib * GIB / 1e6 / need.checkpoint_mbps)
    fast_enough = need.checkpoint_write_s <= 0.03 * 60 * every * 1.001
    if spot:
        fast_enough = fast_enough and need.checkpoint_write_s <= NOTICE_S / 2 * 1.001
    assert fast_enough or need.checkpoint_mbps == 1000.0 * nodes
    assert need.kept_gib == pytest.approx(keep * need.checkpoint_gib)


def test_reading_follows_the_step() -> None:
    """Images a second times their size, and as many files; half the step time doubles both."""
    workload = job("resnet50", task="pretrain", profile="timm", image_size=224, global_batch=1024, data=IMAGES)
    slow, fast = (storage_need(workload, machines("A100-SXM-80"), Layout(data=8), s, "bf16") for s in (1.0, 0.5))
    assert slow.files_per_s == pytest.approx(1024)
    assert slow.read_mbps == pytest.approx(1024 * 150 * GIB / 1_281_167 / 1e6)
    assert fast.read_mbps == pytest.approx(2 * slow.read_mbps)
    assert slow.data_gib == 150


def test_tokens_are_four_bytes_and_a_stated_set_is_its_size() -> None:
    """Without samples a token is four bytes on disk; with them a sample is its share of the data set."""
    assert sample_bytes(job("llama-2-7b", sequence_length=4096)) == 4 * 4096
    assert sample_bytes(job("llama-2-7b", data=Data(size_gib=10, samples=1000))) == 10 * GIB / 1000
    assert sample_bytes(job("resnet50", image_size=224)) == 0.0
    epochs = job("resnet50", image_size=224, data=Data(size_gib=10), samples_total=3000.0, epochs=3.0)
    assert sample_bytes(epochs) == pytest.approx(10 * GIB / 1000)


def test_preprocessing_reads_as_fast_as_its_cores() -> None:
    """640 vCPU at 0.5 MB/s read 320 MB/s, in as many files a second as that is; input and output are stored."""
    workload = job(None, task="preprocess", data=Data(size_gib=1000, files=1_000_000))
    need = storage_need(workload, cpu_nodes(4, 160), None, 0.0)
    assert need.read_mbps == pytest.approx(320)
    assert need.files_per_s == pytest.approx(320e6 / (1000 * GIB / 1e6))
    assert need.data_gib == 2000


def test_serving_loads_its_weights_and_saves_nothing() -> None:
    """An int8 13B model is about 12 GiB to load and writes no checkpoint."""
    workload = job("llama-2-13b", task="infer", profile="vllm", quantization="int8", checkpoint=None)
    need = storage_need(workload, machines("A10", 1), Layout(), 0.0, "fp16")
    assert 11 < need.weights_gib < 14
    assert need.checkpoint_gib == need.kept_gib == 0.0


def test_no_checkpoint_means_nothing_kept() -> None:
    """`checkpoint: none` is honoured: the size of one is told, none is kept."""
    need = storage_need(job("llama-2-7b", checkpoint=None), machines("A100-SXM-80"), Layout(data=8), 1.0, "bf16")
    assert need.kept_gib == 0.0
    assert need.checkpoint_gib > 80
