"""Which address ranges are the world."""

from __future__ import annotations

import ipaddress

# A range as wide as this is the world, or so much of it that nobody is kept out: 0.0.0.0/1, ::/0, 2000::/3.
WIDEST = 4


def is_world(source: str) -> bool:
    """True for ranges that hold the internet or a large part of it; False for what is no range."""
    try:
        return ipaddress.ip_network(source, strict=False).prefixlen <= WIDEST
    except ValueError:
        return False
