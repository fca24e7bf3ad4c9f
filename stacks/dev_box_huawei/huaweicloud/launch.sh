#!/bin/bash
# Starts dev_box_huawei on this node.
# On SIGTERM the workers get SIGTERM and have TRAINFORM_GRACE_SECONDS to save; exit code 0 means saved.
# shellcheck disable=SC1091,SC2317,SC2329  # Only a node has these files; the trap calls the functions.
set -euo pipefail
source /etc/trainform/job.env
source /etc/trainform/node.env

# launch.command of the spec, an option a line: nothing is expanded in it but the variables of the launch contract.
command=(
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

"${run[@]}" &
job=$!
leader() { echo "$job"; }

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
