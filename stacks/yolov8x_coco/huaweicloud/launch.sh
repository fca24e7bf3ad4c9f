#!/bin/bash
# Starts yolov8x_coco on this node: 1 x 8 GPUs, data parallel over 8, micro-batch 8 x accumulation 1.
# On SIGTERM the workers get SIGTERM and have TRAINFORM_GRACE_SECONDS to save; exit code 0 means saved.
# TRAINFORM_RESUME_FROM, where it is set, is the newest complete checkpoint: the job continues from it.
# shellcheck disable=SC1091,SC2317,SC2329  # Only a node has these files; the trap calls the functions.
set -euo pipefail
source /etc/trainform/job.env
source /etc/trainform/node.env
[[ ! -e /run/trainform-resume.env ]] || source /run/trainform-resume.env

# launch.command of the spec, an option a line: nothing is expanded in it but the variables of the launch contract.
command=(
  python train.py
  --data coco.yaml
  --epochs 300
)
if (($#)); then command=("$@"); fi
if ((${#command[@]} == 0)); then
  echo "nothing to start: name a command, or write launch.command in the spec" >&2
  exit 2
fi

arguments=(
  batch=64 nbs=64 amp=True device=0,1,2,3,4,5,6,7 imgsz=640
)
export TRAINFORM_PRECISION=fp16
export TRAINFORM_MICRO_BATCH=8
export TRAINFORM_ACCUMULATION=1
export TRAINFORM_GLOBAL_BATCH=64
export TRAINFORM_TENSOR_PARALLEL=1
export TRAINFORM_PIPELINE_PARALLEL=1
export TRAINFORM_CONTEXT_PARALLEL=1
export TRAINFORM_SHARDING=none
export TRAINFORM_RECOMPUTE=none
export PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True
launcher=()
# One process for each GPU. A plain Python command goes through torchrun; any other starts itself with the same variables.
if [[ ${command[0]} =~ ^python3?$ ]]; then
  launcher=(torchrun --nnodes "$NNODES" --nproc-per-node "$GPUS" --node-rank "$NODE_RANK"
    --master-addr "$MASTER_ADDR" --master-port "$MASTER_PORT")
  command=("${command[@]:1}")
fi
run=("${launcher[@]}" "${command[@]}" "${arguments[@]}")

# The job's image with the node's network, shared memory and folders; a container of an earlier start is cleared away.
container=(
  --name trainform-job --network host --ipc host --ulimit memlock=-1 --ulimit stack=67108864
  --gpus all
  --volume "$TRAINFORM_DATA_DIR:$TRAINFORM_DATA_DIR"
  --volume "$TRAINFORM_CHECKPOINT_DIR:$TRAINFORM_CHECKPOINT_DIR"
  --volume /etc/trainform:/etc/trainform:ro
)
# What the job is told; a variable that is not set here is not set there.
passed=(
  TRAINFORM_JOB
  TRAINFORM_DATA_DIR
  TRAINFORM_CHECKPOINT_DIR
  TRAINFORM_GRACE_SECONDS
  MASTER_ADDR
  MASTER_PORT
  NODE_RANK
  NNODES
  TRAINFORM_BUCKET
  TRAINFORM_RESUME_FROM
  TRAINFORM_PRECISION
  TRAINFORM_MICRO_BATCH
  TRAINFORM_ACCUMULATION
  TRAINFORM_GLOBAL_BATCH
  TRAINFORM_TENSOR_PARALLEL
  TRAINFORM_PIPELINE_PARALLEL
  TRAINFORM_CONTEXT_PARALLEL
  TRAINFORM_SHARDING
  TRAINFORM_RECOMPUTE
  PYTORCH_CUDA_ALLOC_CONF
)
for key in "${passed[@]}"; do container+=(--env "$key"); done
docker rm --force trainform-job >/dev/null 2>&1 || true
docker run --rm "${container[@]}" registry.example.com/vision/ultralytics:8.3 "${run[@]}" &
job=$!
leader() { docker inspect --format '{{.State.Pid}}' trainform-job; }

# torchrun would end its workers after seconds of its own; so they are told themselves, and torchrun ends when they have.
stop() {
  signalled=yes
  if ((${#launcher[@]})); then pkill -TERM -P "$(leader)"; else kill -TERM "$(leader)"; fi
}
trap stop TERM INT

signalled=
code=0
while :; do
  wait "$job" && code=0 || code=$?
  [[ -n $signalled ]] || break
  signalled=
done
exit "$code"
