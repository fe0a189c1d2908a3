"""Measures how long work takes, as if it had the machine to itself.

Only the standard library: used where processes are started and watched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from enum import StrEnum

from autograder.core.process_usage import cpu_seconds, queued_seconds

PATIENCE = 4
"""How many times its limit work may take while other work has the processors."""


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
        computed = [cpu_seconds(process) for process in processes]
        known = [seconds for seconds in computed if seconds is not None]
        # One file a thread: read only where it decides something.
        queued = sum(map(queued_seconds, processes)) if self._may_sleep else 0.0
        return sum(known) if known else None, queued

    def overdue(self, limit: float) -> Overdue | None:
        """Return why the processes must be stopped; None if they may go on.

        Computing counts, waiting for a busy processor does not. If the system does not report it,
        wall-clock time counts.

        Args:
            limit: in seconds.
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
