"""What the job asks of storage: bytes, MB/s and files a second to read, checkpoints to write in their interval."""

from __future__ import annotations

from generator.sizing.architecture import Transformer
from generator.sizing.estimate import Hardware, Layout, StorageNeed
from generator.sizing.flops import Work, count_work, sample_tokens
from generator.sizing.states import FULL, OPTIMIZER_BYTES, PURE, PURE_OPTIMIZER_BYTES
from generator.workload import Workload

GIB = 2**30
TOKEN_BYTES = 4.0  # of a tokenised corpus on disk (two for vocabularies under 65,536)
NOTICE_S = 300.0  # an interruption is announced five minutes ahead; half of that is left for the write
INTERVAL_SHARE = 0.03  # of the time between checkpoints may go into writing one
LEAST_CHECKPOINT_MBPS = 200.0
NODE_CHECKPOINT_MBPS = 1000.0  # one node into a bucket or parallel file system; more is not asked for
PREPROCESS_OUTPUT = 1.0  # bytes written for each byte read


def state_bytes(workload: Workload, work: Work, precision: str) -> tuple[float, float]:
    """Bytes of one checkpoint: trained weights alone, and with master weights and optimizer.

    A 16-bit copy of the weights with fp32 master weights and two moments is 14 bytes a parameter: BLOOM's 176 billion
    made 2.3 TiB (bigscience tr11-176B-ml). Frozen base weights are not saved again.
    """
    trained = work.trainable
    weights = (4.0 if precision in FULL else 2.0) * trained
    master = 0.0 if precision in PURE + FULL else 4.0
    # Paged moments live on the host, but are saved all the same.
    optimizer = "adamw_8bit" if workload.optimizer == "paged_adamw_8bit" else workload.optimizer
    moments = (PURE_OPTIMIZER_BYTES if precision in PURE else OPTIMIZER_BYTES)[optimizer]
    return weights, weights + (master + moments) * trained


def sample_bytes(workload: Workload) -> float:
    """Bytes read for one sample: the data set over its samples, else tokens; 0 where neither is known."""
    data = workload.data
    if data is not None and data.samples:
        return data.size_gib * GIB / data.samples
    if isinstance(workload.model, Transformer) and workload.task != "infer":
        return TOKEN_BYTES * sample_tokens(workload, workload.model)
    if data is not None and workload.samples_total:
        return data.size_gib * GIB * max(1.0, workload.epochs or 1.0) / workload.samples_total
    return 0.0


def storage_need(
    workload: Workload, hardware: Hardware, layout: Layout | None, step_s: float, precision: str = "bf16"
) -> StorageNeed:
    """Reading and checkpointing, whatever the layout, of a job whose step takes `step_s` seconds (0: not known).

    The write rate is what keeps a checkpoint within 3 % of its interval and, when interruptible, within half of the
    notice; a node is not asked for more than 1 GB/s, and the write time follows from that.
    """
    del layout
    data = workload.data
    data_gib = data.size_gib if data else 0.0
    if workload.task == "preprocess":
        rate = hardware.vcpus * hardware.nodes * workload.cpu_mb_per_s
        per_mb = (data.files or 0) / (data.size_gib * GIB / 1e6) if data and data.size_gib else 0.0
        return _need(read_mbps=rate, files_per_s=rate * per_mb, data_gib=data_gib * (1 + PREPROCESS_OUTPUT))
    if workload.model is None:
        return _need(data_gib=data_gib)
    work = count_work(workload, precision)
    if workload.task == "infer":
        return _need(data_gib=data_gib, weights_gib=work.weight_bytes / GIB)
    samples_per_s = (workload.global_batch or 1) / step_s if step_s > 0 else 0.0
    files = data.files / data.samples if data and data.files and data.samples else 0.0
    weights, states = state_bytes(workload, work, precision)
    keep = 0
    wanted = LEAST_CHECKPOINT_MBPS
    if workload.checkpoint is not None:
        keep = workload.checkpoint.keep
        if workload.checkpoint.every_minutes:
            wanted = max(wanted, states / 1e6 / (INTERVAL_SHARE * 60 * workload.checkpoint.every_minutes))
    if workload.interruptible is not None:
        wanted = max(wanted, states / 1e6 / (NOTICE_S / 2))
    mbps = min(wanted, NODE_CHECKPOINT_MBPS * hardware.nodes)
    return _need(
        read_mbps=samples_per_s * sample_bytes(workload) / 1e6,
        files_per_s=samples_per_s * files,
        data_gib=data_gib,
        checkpoint_gib=states / GIB,
        weights_gib=weights / GIB,
        checkpoint_write_s=states / 1e6 / mbps,
        checkpoint_mbps=mbps,
        kept_gib=keep * states / GIB,
    )


def _need(
    *,
    read_mbps: float = 0.0,
    files_per_s: float = 0.0,
    data_gib: float = 0.0,
    checkpoint_gib: float = 0.0,
    weights_gib: float = 0.0,
    checkpoint_write_s: float = 0.0,
    checkpoint_mbps: float = 0.0,
    kept_gib: float = 0.0,
) -> StorageNeed:
    return StorageNeed(
        read_mbps=read_mbps,
        files_per_s=files_per_s,
        data_gib=data_gib,
        checkpoint_gib=checkpoint_gib,
        weights_gib=weights_gib,
        checkpoint_write_s=checkpoint_write_s,
        checkpoint_mbps=checkpoint_mbps,
        kept_gib=kept_gib,
    )
