"""What Linux tells of processes under /proc; of one that is gone, or elsewhere, nothing.

Only the standard library: this is read wherever processes are started and watched.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path


def _read(process: int, name: str) -> str:
    """One of a process's files; empty when it cannot be read."""
    try:
        return Path("/proc", str(process), name).read_text(errors="replace")
    except OSError:
        return ""


def _stat(process: int) -> list[str]:
    """The fields of `stat` that follow a process's name, which may hold anything."""
    return _read(process, "stat").rpartition(")")[2].split()


def cpu_seconds(process: int) -> float | None:
    """CPU time that a process and those it has waited for have used, in seconds.

    None where the system does not tell.
    """
    fields = _stat(process)
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK") if fields else None


def queued_seconds(process: int) -> float:
    """How long a process's threads waited for a processor, since they were started."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:
        return 0.0
    told = (_read(process, f"task/{thread}/schedstat").split() for thread in threads)
    return sum(int(fields[1]) for fields in told if len(fields) == 3) / 1e9


def descendants(root: int) -> Iterator[int]:
    """All processes below `root`, however they were started."""
    children: dict[int, list[int]] = {}
    for process in (int(entry) for entry in os.listdir("/proc") if entry.isdigit()):
        fields = _stat(process)
        if fields:
            children.setdefault(int(fields[1]), []).append(process)
    waiting = [root]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            yield child
            waiting.append(child)


def resident_bytes(process: int) -> int:
    """Memory that a process has in RAM, with all that it shares."""
    fields = _read(process, "statm").split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") if fields else 0


def proportional_bytes(process: int) -> int:
    """Memory that a process has in RAM, of what it shares only its part."""
    found = re.search(r"^Pss:\s+(\d+) kB", _read(process, "smaps_rollup"), re.MULTILINE)
    return 1024 * int(found[1]) if found else 0
