"""CPU time, memory and descendants of a process. A process that is gone has none of them."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

import psutil


def cpu_seconds(process: int) -> float | None:
    """The CPU time of a process and of those it has waited for; None if it cannot be read."""
    try:
        return sum(psutil.Process(process).cpu_times()[:4])
    except psutil.Error:
        return None


def queued_seconds(process: int) -> float:
    """How long a process's threads have waited for a processor; 0 where Linux does not count it."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return 0.0
    queued = 0
    for thread in threads:
        with contextlib.suppress(OSError, IndexError):  # the thread has ended
            fields = Path(f"/proc/{process}/task/{thread}/schedstat").read_text().split()
            queued += int(fields[1])
    return queued / 1e9


def descendants(root: int) -> list[int]:
    """All processes below `root`, at any depth."""
    try:
        return [child.pid for child in psutil.Process(root).children(recursive=True)]
    except psutil.Error:
        return []


def resident_bytes(process: int) -> int:
    """The memory that a process has in RAM, shared memory included."""
    try:
        return psutil.Process(process).memory_info().rss
    except psutil.Error:
        return 0
