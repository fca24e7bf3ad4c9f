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
