if ((NODE_RANK >= NNODES)); then
  echo "this node stands by: set its rank in /etc/trainform/node.env to put it in a broken node's place"
  exit 0
fi
