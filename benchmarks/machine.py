"""The machine that a page of figures was measured on, as its first line names it."""

from __future__ import annotations

import os
import platform
from pathlib import Path


def machine() -> str:
    """Cores, processor and Python version."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.is_file() else []
    processor = next((line.split(":")[1].strip() for line in lines if "model name" in line), platform.processor())
    return f"Machine: {os.cpu_count()} cores, {processor}; Python {platform.python_version()}"
