"""How long work has taken, as if it had had the machine to itself.

Only the standard library: used where processes are started and watched.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from enum import StrEnum

from autograder.core.process_usage import cpu_seconds, queued_seconds

PATIENCE = 4
"""How many times its limit work may take where other work has the processors."""


class Overdue(StrEnum):
    """Why work is stopped."""

    TIMEOUT = "timeout"
    STARVED = "starved"


class Stopwatch:
    """Times some processes, from the moment it is made.

    Args:
        processes: says which they are now; those that have ended count in the one that waited for
            them.
        may_sleep: whether they can be idle by their own will, so that sleeping counts as working.
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
        """Whether the processes are to be stopped, and why.

        What they computed counts, not what they waited for a processor that others had. Where the
        system does not tell, wall-clock time counts.

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
