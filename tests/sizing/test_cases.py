"""The public cases on the sizing side: what their authors ran fits, in about their time, and what cannot does not."""

import msgspec
import pytest

from generator.sizing.architecture import typical_sample_model
from generator.sizing.estimate import Fit
from generator.sizing.layout import find_fit
from generator.sizing.step_time import predict_throughput
from generator.workload import Checkpoint, Data, Workload
from tests.sizing.jobs import cpu_nodes, job, machines

IMAGENET = Data(size_gib=150, files=1_281_167, samples=1_281_167)
COCO = Data(size_gib=25, files=118_287, samples=118_287)


def yolo(batch: int = 16) -> Workload:
    """YOLOv5x on COCO, 300 epochs at 640 pixels."""
    return job(
        "yolov5x",
        task="pretrain",
        profile="ultralytics",
        image_size=640,
        optimizer="sgd",
        global_batch=batch,
        samples_total=300 * 118_287.0,
        epochs=300.0,
        data=COCO,
        augmentation="heavy",
    )


def serving(model: str, **fields: object) -> Workload:
    return job(model, task="infer", profile="vllm", global_batch=None, samples_total=None, checkpoint=None, **fields)


def video(billions: float, **fields: object) -> Workload:
    """A video diffusion transformer of this size."""
    values: dict[str, object] = {"profile": "diffusers", "global_batch": 8, "sequence_length": None}
    model = typical_sample_model(billions * 1e9, kind="video_dit")
    return msgspec.structs.replace(job(None, **(values | fields)), model=model)


def hours(fit: Fit) -> float:
    assert fit.time is not None
    return fit.time.run_hours


def test_c001_a_terabyte_of_text_needs_640_cores_for_an_hour() -> None:
    """C001: 1 TB in an hour takes at least 640 vCPU and no card; twice the nodes take about half the time."""
    workload = job(None, task="preprocess", data=Data(size_gib=1000), samples_total=None)
    four, five, eight = (find_fit(workload, cpu_nodes(count, 160)) for count in (4, 5, 8))
    few = find_fit(workload, cpu_nodes(3, 160))
    assert four.fits
    assert four.layout is None
    assert four.memory is None
    assert hours(few) > 1.2
    assert hours(five) <= 1.0
    assert hours(eight) < 0.65 * hours(four)


@pytest.mark.parametrize(
    ("card", "count", "met"),
    [
        ("T4", 1, False),
        ("V100-SXM-16", 1, False),
        ("V100-SXM-16", 4, True),
        ("A10", 4, True),
        ("A100-SXM-80", 2, True),
    ],
)
def test_c004_yolov5x_in_three_days(card: str, count: int, met: bool) -> None:
    """C004: it fits any 16 GB card; 72 hours take 2 to 4 mid cards or 1 to 2 A100; a T4 fails on time alone."""
    fit = find_fit(yolo(16 * count), machines(card, count))
    assert fit.fits
    assert (hours(fit) <= 72) == met


def test_c004_a_v100_takes_about_eight_days() -> None:
    """C004: YOLOv5x took eight days on one V100: within 40 %, and within the printed interval."""
    fit = find_fit(yolo(), machines("V100-SXM-16", 1))
    assert hours(fit) == pytest.approx(8 * 24, rel=0.4)
    assert fit.time is not None
    assert fit.time.low_hours <= 8 * 24 <= fit.time.high_hours


def test_c005_vit_large_on_64_v100() -> None:
    """C005: 800 epochs at a batch of 4,096 on 8 x 8 V100 took 42 hours; 16 A100 are the cheaper answer."""
    workload = job(
        "vit_large_patch16_224",
        task="pretrain",
        profile="timm",
        image_size=224,
        global_batch=4096,
        samples_total=800 * 1_281_167.0,
        data=IMAGENET,
    )
    many = find_fit(workload, machines("V100-SXM-32", 8, 8, rdma=True, rdma_gbps=100.0))
    few = find_fit(workload, machines("A100-SXM-80", 8, 2))
    assert many.fits
    assert hours(many) == pytest.approx(42, rel=0.4)
    assert few.fits
    assert few.layout is not None
    assert few.layout.accumulation > 1
    assert hours(few) * 16 < 0.6 * hours(many) * 64
    assert many.storage.files_per_s > 2000


def test_c007_swin_base_on_one_node() -> None:
    """C007: Swin-B at 64 images a card with two accumulations fits eight 16 GB cards of one node."""
    workload = job(
        "swin_base_patch4_window7_224",
        task="pretrain",
        profile="timm",
        image_size=224,
        global_batch=1024,
        samples_total=300 * 1_281_167.0,
        data=IMAGENET,
    )
    fit = find_fit(workload, machines("V100-SXM-16"))
    assert fit.fits
    assert fit.layout is not None
    assert fit.layout.micro_batch >= 32
    assert fit.time is not None
    assert fit.time.communication_s < 0.05 * fit.time.compute_s


def test_c008_dinov2_spreads_over_twelve_nodes() -> None:
    """C008: a ViT-L at a large batch keeps 96 A100 busy over RDMA: exposed communication stays under a fifth."""
    workload = job(
        "vit_large_patch16_224",
        task="pretrain",
        profile="timm",
        image_size=224,
        global_batch=3072,
        run_hours=80.0,
        samples_total=None,
    )
    fit = find_fit(workload, machines("A100-SXM-80", 8, 12))
    assert fit.fits
    assert hours(fit) == 80
    assert fit.time is not None
    assert fit.time.exposed_ratio < 0.2


def test_c010_vicuna_on_four_40_gb_cards() -> None:
    """C010: a full fine-tuning of 7B fits 160 GB in four cards by sharding, and one such card does not hold it."""
    workload = job("llama-2-7b", global_batch=128, sequence_length=2048)
    fit = find_fit(workload, machines("A100-SXM-40", 4))
    assert fit.fits
    assert fit.layout is not None
    assert fit.layout.sharding in ("fsdp", "zero3", "zero2")
    alone = find_fit(workload, machines("A100-SXM-40", 1))
    assert not alone.fits or (alone.layout is not None and alone.layout.offload != "none")


def test_c011_qlora_of_7b_fits_a_16_gb_card_in_fp16() -> None:
    """C011: 4-bit LoRA fits T4 and A10; the T4 runs it in fp16, the A10 in bf16 and about four times as fast."""
    workload = job("llama-2-7b", method="qlora", sequence_length=1024)
    small, big = (find_fit(workload, machines(card, 1)) for card in ("T4", "A10"))
    assert small.fits
    assert big.fits
    assert (small.precision, big.precision) == ("fp16", "bf16")
    assert 2.5 < hours(small) / hours(big) < 8
    assert find_fit(msgspec.structs.replace(workload, precision="bf16"), machines("T4", 1)).reason == "precision"


def test_c013_p_tuning_of_6b_in_int4() -> None:
    """C013: any card of 8 GB and more takes it; a slice of less does not, as it offloads nothing."""
    workload = job("chatglm-6b", method="ptuning", quantization="int4", global_batch=16, sequence_length=512)
    for card in ("T4", "A10"):
        assert find_fit(workload, machines(card, 1)).fits
    assert find_fit(workload, machines("T4", 1, fraction=0.25, usable_gib=4.0)).reason == "memory"


def test_c014_gpt2_takes_four_to_five_days_on_one_node() -> None:
    """C014: 300 billion tokens of GPT-2 on 8 x A100 40 GB are days of plain data parallelism."""
    workload = job(
        "gpt2",
        task="pretrain",
        profile="fsdp2",
        global_batch=480,
        sequence_length=1024,
        samples_total=300e9 / 1024,
    )
    fit = find_fit(workload, machines("A100-SXM-40"))
    assert fit.fits
    assert fit.time is not None
    assert fit.time.low_hours <= 4.5 * 24 <= fit.time.high_hours
    assert fit.layout is not None
    assert (fit.layout.tensor, fit.layout.pipeline, fit.layout.sharding) == (1, 1, "none")


def test_c016_bloom() -> None:
    """C016: 176B on 48 nodes of 8 A100: a legal split of 384 cards, checkpoints of 2.3 TB, and months of run."""
    workload = job(
        "bloom-176b",
        task="pretrain",
        profile="megatron",
        global_batch=2048,
        sequence_length=2048,
        samples_total=366e9 / 2048,
        data=Data(size_gib=1500),
        checkpoint=Checkpoint(every_minutes=180, to="file_system", keep=3),
    )
    fit = find_fit(workload, machines("A100-SXM-80", 8, 48, rdma_gbps=400.0))
    assert fit.fits
    assert fit.layout is not None
    assert fit.layout.tensor * fit.layout.pipeline >= 16
    assert fit.storage.checkpoint_gib == pytest.approx(2.3 * 1000, rel=0.05)
    assert fit.storage.kept_gib == pytest.approx(7 * 1000, rel=0.05)
    assert fit.storage.checkpoint_mbps > 0
    assert 60 * 24 < hours(fit) < 130 * 24


@pytest.mark.parametrize(
    ("card", "count", "kind", "fits"),
    [
        ("A100-SXM-40", 8, "none", True),
        ("V100-SXM-32", 8, "int8", True),
        ("V100-SXM-16", 8, "int8", False),
        ("A10", 4, "int4", True),
        ("RTX3090", 4, "int4", True),
        ("RTX3090", 4, "int8", False),
    ],
)
def test_c017_glm_130b(card: str, count: int, kind: str, fits: bool) -> None:
    """C017: 16 bit on 8 x 40 GB, int8 on 8 x 32 GB and not on 16 GB, int4 on 4 x 24 GB, by tensor parallelism."""
    fit = find_fit(serving("glm-130b", context=2048, quantization=kind), machines(card, count))
    assert fit.fits == fits
    assert fit.layout is not None
    if fits:
        assert fit.layout.tensor == count
        assert any("PCIe" in said for said in fit.assumptions) == (card in ("A10", "RTX3090"))


def test_c019_gpt3_scales_less_than_perfectly_and_far_better_than_half() -> None:
    """C019: from 96 to 4,608 H100 at one batch MFU falls, by less than 30 % (measured: 47 to 42 %), never by half."""
    workload = job("gpt3-175b", task="pretrain", profile="megatron", global_batch=1152, sequence_length=2048)
    shares = []
    for nodes in (12, 576):
        fit = find_fit(workload, machines("H100-SXM-80", 8, nodes))
        assert fit.fits
        assert fit.layout is not None
        shares.append(predict_throughput(workload, fit.hardware, fit.layout, fit.precision or "").mfu)
    assert shares[0] == pytest.approx(0.47, rel=0.15)
    assert shares[1] == pytest.approx(0.42, rel=0.15)
    assert 0.7 < shares[1] / shares[0] < 0.95


def test_c020_open_sora_runs_on_64_h800() -> None:
    """C020: a 0.7B video model over nine days on 64 H800: it fits, data parallel, with its communication hidden."""
    workload = video(0.7, task="pretrain", global_batch=256, run_hours=216.0, samples_total=None)
    fit = find_fit(workload, machines("H800-SXM", 8, 8))
    assert fit.fits
    assert hours(fit) == 216
    assert fit.time is not None
    assert fit.time.exposed_ratio < 0.2


@pytest.mark.parametrize(
    ("card", "count", "method", "fits"),
    [("A100-SXM-40", 1, "lora", True), ("A100-SXM-80", 8, "full", True), ("A10", 8, "full", False)],
)
def test_c022_cogvideo_5b(card: str, count: int, method: str, fits: bool) -> None:
    """C022: LoRA of 5B on one card, full fine-tuning on 8 x 80 GB and not on 8 x A10."""
    assert find_fit(video(5, method=method), machines(card, count)).fits == fits


def test_c023_wan_small_on_one_card_and_large_on_a_big_one() -> None:
    """C023: 1.3B answers on one T4 or A10; 14B needs a large card, and eight in a node answer eight times as often."""
    fields = {"task": "infer", "global_batch": None, "samples_total": None, "checkpoint": None}
    for card in ("T4", "A10"):
        assert find_fit(video(1.3, **fields), machines(card, 1)).fits
    assert find_fit(video(14, **fields), machines("A10", 1)).reason == "memory"
    one, eight = (find_fit(video(14, **fields), machines("A100-SXM-80", count)) for count in (1, 8))
    assert one.fits
    assert one.time is not None
    assert eight.time is not None
    assert eight.time.requests_per_s == pytest.approx(8 * one.time.requests_per_s)


def test_c025_qwen_72b_at_32k_on_ascend() -> None:
    """C025: MindSpeed's recipe takes 16 nodes of 8 x 910B for 72B at 32k tokens: that fits, one node never does."""
    workload = job("qwen2.5-72b", task="pretrain", profile="mindspeed", global_batch=64, sequence_length=32768)
    sixteen, one = (find_fit(workload, machines("Ascend910B4", 8, nodes)) for nodes in (16, 1))
    assert sixteen.fits
    assert sixteen.layout is not None
    assert sixteen.layout.tensor > 1
    assert one.reason == "memory"
