"""Who may log in to the nodes. Their role is bound in the console: the provider has none (README.md)."""

import baiducloud
from settings import NAME, SSH_PUBLIC_KEY

# The public half only: the private one never comes near the stack. Without a key the cloud would set a password.
key = baiducloud.BccKeyPair(
    "login",
    name=NAME,
    public_key=SSH_PUBLIC_KEY,
)
