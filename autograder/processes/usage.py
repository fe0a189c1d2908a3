"""Measures what processes use: CPU time, memory, and time as if they had the machine to themselves.

A process that is gone uses nothing.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Collection
from contextlib import suppress
from enum import StrEnum
from functools import cached_property

import psutil

PATIENCE = 10
"""How many times its limit work may take while other work has the processors."""


_PROC = "/proc"
_LISTS_CHILDREN = os.path.exists(f"{_PROC}/self/task/{os.getpid()}/children")
"""Whether the system lists children in files: reading them costs a hundredth of asking psutil."""
_CPU_FIELDS, _THREADS_FIELD = slice(11, 15), 17


def _fields(process: int | str) -> list[bytes]:
    """Return what Linux says about a process or thread, from its state on; [] if it is gone."""
    with suppress(OSError), open(f"{_PROC}/{process}/stat", "rb") as file:
        return file.read().rpartition(b")")[2].split()
    return []


def cpu_seconds(process: int) -> float | None:
    """Return the CPU time of a process and of those it has waited for; None if it is unknown."""
    if _LISTS_CHILDREN:
        ticks = _fields(process)[_CPU_FIELDS]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") if ticks else None
    with suppress(psutil.Error):
        return sum(psutil.Process(process).cpu_times()[:4])
    return None


def resident_bytes(process: int) -> int:
    """Return the memory that a process has in RAM, shared memory included."""
    if _LISTS_CHILDREN:
        with suppress(OSError), open(f"{_PROC}/{process}/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        return 0
    with suppress(psutil.Error):
        return psutil.Process(process).memory_info().rss
    return 0


def count_threads(process: int) -> int:
    """Return how many threads a process has."""
    if _LISTS_CHILDREN:
        fields = _fields(process)
        return int(fields[_THREADS_FIELD]) if fields else 0
    with suppress(psutil.Error):
        return psutil.Process(process).num_threads()
    return 0


def descendants(root: int) -> list[int]:
    """Return all processes below `root`, at any depth.

    A process that is started or ends meanwhile may hide others: ask again.
    """
    if not _LISTS_CHILDREN:
        with suppress(psutil.Error):
            return [child.pid for child in psutil.Process(root).children(recursive=True)]
        return []
    found, todo = [], [root]
    while todo:
        folder = f"{_PROC}/{todo.pop()}/task"
        with suppress(OSError):  # the process, or a thread, has ended
            for thread in os.listdir(folder):
                with suppress(OSError), open(f"{folder}/{thread}/children", "rb") as file:
                    children = [int(child) for child in file.read().split()]
                    found += children
                    todo += children
    return found


def family(root: int) -> list[int]:
    """Return a process and all below it; on Windows, an environment's Python starts another one."""
    return [root, *descendants(root)]


def is_runnable(process: int) -> bool:
    """Whether a thread of a process computes or waits for a processor; False where it is unknown.

    What sleeps, or waits for input or a disk, is not runnable.
    """
    with suppress(OSError):
        for thread in os.listdir(f"{_PROC}/{process}/task"):
            if _fields(f"{process}/task/{thread}")[:1] == [b"R"]:
                return True
    return False


_USUAL_SECONDS = 0.0045
"""CPU seconds that adding 100,000 numbers took where the limits were chosen."""
_MOST_SLOWNESS = 4
"""How much the limits of a slow machine may grow."""


def hard_limit(seconds: float) -> int:
    """Return the CPU seconds after which the kernel may end what should end after `seconds`.

    That is later than any `Stopwatch` would end it, on any machine.
    """
    return math.ceil(_MOST_SLOWNESS * seconds) + 10


def slowness() -> float:
    """Return how many times as long as usual this machine computes now: 1 to 4."""

    def add() -> float:
        began, total = time.thread_time(), 0
        for number in range(100_000):
            total += number
        return time.thread_time() - began

    return min(max(min(add() for _ in range(5)) / _USUAL_SECONDS, 1.0), _MOST_SLOWNESS)


class Overdue(StrEnum):
    """Why work is stopped."""

    TIMEOUT = "timeout"
    """It has computed for too long."""
    STALLED = "stalled"
    """It has waited for too long, but not for a processor: it sleeps, or the machine is slow."""
    STARVED = "starved"
    """Other work had the processors for too long."""


_LONGEST_LOOK = 0.2
"""How many seconds of idleness one look can show: whoever looks may have to wait too."""


class Stopwatch:
    """Times a process and all below it, from the moment that it is made.

    Ask often: `overdue` samples.

    Args:
        root: the process; one below it that has ended counts in the one that waited for it.
        may_sleep: whether they may be idle on purpose, so that being idle counts as working.
    """

    def __init__(self, root: int, *, may_sleep: bool = False) -> None:
        self._root = root
        self._may_sleep = may_sleep
        self._before = _sum_cpu(self._processes())
        self._started = self._looked = time.monotonic()
        self._computed = self._idle = 0.0

    @cached_property
    def _slowness(self) -> float:
        return slowness()  # takes some ms: only for what has reached its limit

    def _processes(self) -> Collection[int]:
        return family(self._root)

    def overdue(self, limit: float) -> Overdue | None:
        """Return why the processes must be stopped; None if they may go on.

        Computing counts, of all of them together. Waiting for a busy processor does not count. If
        the system does not report CPU time, wall-clock time counts.

        Args:
            limit: in seconds of a machine of usual speed; a slower one gets more (`slowness`).
        """
        now, processes = time.monotonic(), self._processes()
        wall, since, self._looked = now - self._started, now - self._looked, now
        cpu = _sum_cpu(processes)
        if cpu is None or self._before is None:
            return Overdue.TIMEOUT if wall >= limit else None
        computed, self._computed = cpu - self._before - self._computed, cpu - self._before
        watched = [process for process in processes if process != os.getpid()]
        if self._may_sleep and not any(map(is_runnable, watched)):
            self._idle += max(0.0, min(since, _LONGEST_LOOK) - computed)
        used = self._computed + self._idle
        if used >= limit and used >= limit * self._slowness:
            return Overdue.TIMEOUT if self._computed >= used / 2 else Overdue.STALLED
        return Overdue.STARVED if wall >= PATIENCE * limit else None


def _sum_cpu(processes: Collection[int]) -> float | None:
    known = [s for process in processes if (s := cpu_seconds(process)) is not None]
    return sum(known) if known else None
