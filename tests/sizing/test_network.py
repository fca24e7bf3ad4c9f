"""What a byte costs between cards."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.sizing.estimate import Layout
from generator.sizing.flops import count_work
from generator.sizing.network import (
    all_gather_s,
    context_s,
    data_parallel,
    expert_s,
    fabric_gbytes_s,
    group_gbytes_s,
    node_gbytes_s,
    pipeline_s,
    tensor_parallel_s,
)
from generator.sizing.profiles import find_profile
from generator.sizing.step_time import step_parts
from tests.sizing.jobs import job, machines


@pytest.mark.parametrize(("card", "measured"), [("A100-SXM-80", 230), ("H100-SXM-80", 370)])
def test_nvlink_gives_what_nccl_measures(card: str, measured: float) -> None:
    """Bus bandwidth inside an NVLink node is within 10 % of nccl-tests' figures."""
    assert node_gbytes_s(machines(card)) == pytest.approx(measured, rel=0.1)


def test_rdma_gives_at_most_its_line_rate_and_tcp_a_fraction() -> None:
    """100 Gb/s of RDMA are 9 to 12.5 GB/s, 100 Gb/s of plain TCP 4 to 6 GB/s (NCCL issue 450), 10 Gb/s about 1."""
    rdma = machines("A100-SXM-80", nodes=2, rdma=True, rdma_gbps=100.0)
    tcp = machines("A100-SXM-80", nodes=2, rdma=False, rdma_gbps=0.0, network_gbps=100.0)
    slow = msgspec.structs.replace(tcp, network_gbps=10.0)
    assert 9 <= fabric_gbytes_s(rdma) <= 12.5
    assert 4 <= fabric_gbytes_s(tcp) <= 6
    assert fabric_gbytes_s(slow) == pytest.approx(1.0)


def test_groups_side_by_side_share_the_network_cards() -> None:
    """With tensor parallelism over a whole node, each of its eight data-parallel groups gets an eighth."""
    hardware = machines("A100-SXM-80", nodes=4)
    alone, _ = group_gbytes_s(hardware, 32, 1)
    shared, _ = group_gbytes_s(hardware, 4, 8)
    assert shared == pytest.approx(min(alone, fabric_gbytes_s(hardware)) / 8, rel=1e-6)


@given(size=st.floats(1, 1e12), ranks=st.integers(2, 4096))
def test_a_ring_moves_no_less_than_its_bytes(size: float, ranks: int) -> None:
    """A gather takes at least S (n-1)/n / B, and nothing among one rank."""
    assert all_gather_s(size, ranks, (100.0, 1e-6)) >= size * (ranks - 1) / ranks / 100e9
    assert all_gather_s(size, 1, (100.0, 1e-6)) == 0.0


def test_one_card_talks_to_nobody() -> None:
    """No scheme costs anything on a single card."""
    work, hardware, layout = count_work(job("qwen2.5-7b"), "bf16"), machines("A100-SXM-80", 1), Layout()
    assert data_parallel(work, hardware, layout, 1.0).total_s == 0.0
    for scheme in (tensor_parallel_s, pipeline_s, expert_s, context_s):
        assert scheme(work, hardware, layout) == 0.0


@given(
    sharding=st.sampled_from(["none", "zero1", "zero2", "zero3", "fsdp", "hsdp"]),
    nodes=st.sampled_from([1, 2, 8]),
    steps=st.integers(1, 16),
    micro_s=st.floats(0, 10),
)
def test_what_is_exposed_was_on_the_wire(sharding: str, nodes: int, steps: int, micro_s: float) -> None:
    """Exposed traffic is between nothing and all of it."""
    layout = Layout(data=8 * nodes, sharding=sharding, accumulation=steps)  # type: ignore[arg-type]
    traffic = data_parallel(
        count_work(job("qwen2.5-7b"), "bf16"), machines("A100-SXM-80", nodes=nodes), layout, micro_s
    )
    assert 0.0 <= traffic.exposed_s <= traffic.total_s * (1 + 1e-9)


def test_full_sharding_moves_three_times_the_weights_each_micro_step() -> None:
    """FSDP gathers twice and reduces once per micro-step: 3 x 2 P (n-1)/n bytes over the bus, besides latency."""
    work, hardware = count_work(job("qwen2.5-7b"), "bf16"), machines("H100-SXM-80")
    traffic = data_parallel(work, hardware, Layout(data=8, sharding="fsdp"), 0.0)
    assert traffic.total_s == pytest.approx(3 * 2 * work.parameters * 7 / 8 / (node_gbytes_s(hardware) * 1e9), rel=0.1)


def test_ddp_reduces_once_a_step_whatever_the_accumulation() -> None:
    """Accumulation does not add gradient traffic without sharding, and does under ZeRO-2."""
    work, hardware = count_work(job("qwen2.5-7b"), "bf16"), machines("A100-SXM-80")
    once, often = (data_parallel(work, hardware, Layout(data=8, accumulation=n), 0.0).total_s for n in (1, 8))
    zero = [
        data_parallel(work, hardware, Layout(data=8, sharding="zero2", accumulation=n), 0.0).total_s for n in (1, 8)
    ]
    assert once == often
    assert zero[1] > 4 * zero[0]


def test_tcp_makes_fsdp_an_order_of_magnitude_slower() -> None:
    """A 7B FSDP step on 8 H100 nodes is over ten times slower on a TCP port than on RDMA (Azure: 26 to 28)."""
    workload = job("qwen2.5-7b", task="pretrain", profile="fsdp2", global_batch=64)
    work, profile, layout = count_work(workload, "bf16"), find_profile("fsdp2"), Layout(data=64, sharding="fsdp")
    fast = machines("H100-SXM-80", nodes=8)
    slow = msgspec.structs.replace(fast, rdma=False, rdma_gbps=0.0, network_gbps=40.0)
    seconds = [step_parts(work, hardware, layout, "bf16", profile).total_s for hardware in (fast, slow)]
    assert seconds[1] / seconds[0] > 10


def test_a_small_network_hides_the_gradients_of_a_small_model() -> None:
    """On 512 P100 and 25 Gb/s ResNet-101 scales at 85 % or more (Horovod: 90 %); VGG-16 waits longer."""
    layout, ratios = Layout(data=512, micro_batch=64), {}
    many = machines("P100-PCIE-16", 4, 128, rdma=True, rdma_gbps=25.0)
    for model in ("resnet101", "vgg16"):
        workload = job(model, task="pretrain", profile="dle", precision="fp32", image_size=224, optimizer="sgd")
        parts = step_parts(count_work(workload, "fp32"), many, layout, "fp32", find_profile("dle"))
        ratios[model] = parts.traffic_s / parts.compute_s
        if model == "resnet101":
            assert parts.compute_s / parts.total_s >= 0.85
    assert ratios["vgg16"] > 1.5 * ratios["resnet101"]


def test_experts_and_context_cost_traffic() -> None:
    """Expert and context parallelism each put bytes on the wire, and tensor parallelism more with recomputation."""
    hardware = machines("H100-SXM-80")
    sparse = count_work(job("mixtral-8x7b", profile="megatron"), "bf16")
    assert expert_s(sparse, hardware, Layout(data=8, expert=8)) > 0
    long = count_work(job("qwen2.5-7b", sequence_length=32768), "bf16")
    assert context_s(long, hardware, Layout(context=8)) > 0
    plain = tensor_parallel_s(long, hardware, Layout(tensor=4, data=2))
    assert tensor_parallel_s(long, hardware, Layout(tensor=4, data=2, recompute="full")) == pytest.approx(1.5 * plain)
    assert pipeline_s(long, hardware, Layout(pipeline=4, data=2, accumulation=8)) > 0
