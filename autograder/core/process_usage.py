"""Measures what processes use: CPU time, memory, and time as if they had the machine to themselves.

A process that is gone uses nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

import psutil

PATIENCE = 4
"""How many times its limit work may take while other work has the processors."""


def cpu_seconds(process: int) -> float | None:
    """Return the CPU time of a process and of those it has waited for; None if it is unknown."""
    with suppress(psutil.Error):
        return sum(psutil.Process(process).cpu_times()[:4])
    return None


def resident_bytes(process: int) -> int:
    """Return the memory that a process has in RAM, shared memory included."""
    with suppress(psutil.Error):
        return psutil.Process(process).memory_info().rss
    return 0


def descendants(root: int) -> list[int]:
    """Return all processes below `root`, at any depth."""
    with suppress(psutil.Error):
        return [child.pid for child in psutil.Process(root).children(recursive=True)]
    return []


def family(root: int) -> list[int]:
    """Return a process and all below it; on Windows, an environment's Python starts another one."""
    return [root, *descendants(root)]


def queued_seconds(process: int) -> float:
    """Return how long a process's threads have waited for a processor; 0 where it is unknown."""
    nanoseconds = 0
    with suppress(OSError):
        for file in Path(f"/proc/{process}/task").glob("*/schedstat"):
            with suppress(OSError, IndexError):  # the thread has ended
                nanoseconds += int(file.read_bytes().split()[1])
    return nanoseconds / 1e9


class Overdue(StrEnum):
    """Why work is stopped."""

    TIMEOUT = "timeout"
    STARVED = "starved"


class Stopwatch:
    """Times some processes, from the moment that it is made.

    Args:
        processes: returns their current ids; a process that has ended counts in the one that
            waited for it.
        may_sleep: whether they may be idle on purpose, so that sleeping counts as working.
    """

    def __init__(
        self, processes: Callable[[], Collection[int]], *, may_sleep: bool = False
    ) -> None:
        self._processes = processes
        self._may_sleep = may_sleep
        self._started = time.monotonic()
        self._computed, self._queued = self._used()

    def _used(self) -> tuple[float | None, float]:
        processes = self._processes()
        known = [s for process in processes if (s := cpu_seconds(process)) is not None]
        # One file a thread: read only where it decides something.
        queued = sum(map(queued_seconds, processes)) if self._may_sleep else 0.0
        return sum(known) if known else None, queued

    def overdue(self, limit: float) -> Overdue | None:
        """Return why the processes must be stopped; None if they may go on.

        Computing counts, waiting for a busy processor does not. If the system does not report
        CPU time, wall-clock time counts. `limit` is in seconds.
        """
        wall = time.monotonic() - self._started
        if wall < limit:
            return None
        computed, queued = self._used()
        if computed is None or self._computed is None:
            return Overdue.TIMEOUT
        awake = wall - (queued - self._queued)
        if computed - self._computed >= limit or (self._may_sleep and awake >= limit):
            return Overdue.TIMEOUT
        return Overdue.STARVED if wall >= PATIENCE * limit else None
