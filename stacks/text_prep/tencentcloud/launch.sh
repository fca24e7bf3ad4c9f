#!/bin/bash
# Starts text_prep on this node.
# On SIGTERM the workers get SIGTERM and have TRAINFORM_GRACE_SECONDS to save; exit code 0 means saved.
# shellcheck disable=SC1091,SC2317,SC2329  # Only a node has these files; the trap calls the functions.
set -euo pipefail
source /etc/trainform/job.env
source /etc/trainform/node.env

# launch.command of the spec, an option a line: nothing is expanded in it but the variables of the launch contract.
command=(
  python prep.py
  --input "${TRAINFORM_DATA_DIR}"
)
if (($#)); then command=("$@"); fi
if ((${#command[@]} == 0)); then
  echo "nothing to start: name a command, or write launch.command in the spec" >&2
  exit 2
fi

arguments=(
)
launcher=()
run=("${launcher[@]}" "${command[@]}" "${arguments[@]}")

# The job's image with the node's network, shared memory and folders; a container of an earlier start is cleared away.
container=(
  --name trainform-job --network host --ipc host --ulimit memlock=-1 --ulimit stack=67108864
  --volume "$TRAINFORM_DATA_DIR:$TRAINFORM_DATA_DIR"
  --volume "$TRAINFORM_CHECKPOINT_DIR:$TRAINFORM_CHECKPOINT_DIR"
  --volume "$TRAINFORM_RESULTS_DIR:$TRAINFORM_RESULTS_DIR"
  --volume /etc/trainform:/etc/trainform:ro
)
# What the job is told; a variable that is not set here is not set there.
passed=(
  TRAINFORM_JOB
  TRAINFORM_DATA_DIR
  TRAINFORM_CHECKPOINT_DIR
  TRAINFORM_GRACE_SECONDS
  TRAINFORM_RESULTS_DIR
  MASTER_ADDR
  MASTER_PORT
  NODE_RANK
  NNODES
  TRAINFORM_BUCKET
)
for key in "${passed[@]}"; do container+=(--env "$key"); done
docker rm --force trainform-job >/dev/null 2>&1 || true
docker run --rm "${container[@]}" registry.example.com/data/prep:1.2 "${run[@]}" &
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
