"""Reads CPU time, memory and descendants of processes from /proc.

A process that is gone has none of them, and neither has any process on other systems.

This module uses the standard library only.
"""

from __future__ import annotations

import os
import re
from pathlib import Path


def _read(process: int, name: str) -> str:
    """One of a process's files; empty when it cannot be read."""
    try:
        return Path("/proc", str(process), name).read_text(errors="replace")
    except OSError:
        return ""


def _stat(process: int) -> list[str]:
    """The fields of `stat` after the process's name, which may contain any characters."""
    return _read(process, "stat").rpartition(")")[2].split()


def cpu_seconds(process: int) -> float | None:
    """The CPU time of a process and of those it has waited for; None if it cannot be read."""
    fields = _stat(process)
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") if fields else None


def queued_seconds(process: int) -> float:
    """How long a process's threads have waited for a processor since they started."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return 0.0
    schedules = (_read(process, f"task/{thread}/schedstat").split() for thread in threads)
    return sum(int(fields[1]) for fields in schedules if len(fields) == 3) / 1e9


def descendants(root: int) -> list[int]:
    """All processes below `root`, at any depth."""
    children: dict[int, list[int]] = {}
    for process in (int(entry) for entry in os.listdir("/proc") if entry.isdigit()):
        fields = _stat(process)
        if fields:
            children.setdefault(int(fields[1]), []).append(process)
    found, waiting = [], [root]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def resident_bytes(process: int) -> int:
    """The memory that a process has in RAM, shared memory included."""
    fields = _read(process, "statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def proportional_bytes(process: int) -> int:
    """The memory that a process has in RAM, with only its part of shared memory."""
    found = re.search(r"^Pss:\s+(\d+) kB", _read(process, "smaps_rollup"), re.MULTILINE)
    return 1024 * int(found[1]) if found else 0
