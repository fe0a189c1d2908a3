"""Watches one submission's processes from outside their namespaces, and ends them all.

The keeper is a fork of the zygote, so it has no threads. It holds no secrets.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass

from autograder.processes.usage import Stopwatch, count_threads, descendants, resident_bytes
from autograder.sandbox import namespaces

POLL_SECONDS = 0.05


@dataclass(frozen=True)
class Limits:
    """Limits on the processes of one submission.

    Attributes:
        seconds: of CPU time of all processes together, as if the machine had no other work and
            were of usual speed (`processes.usage`).
        allocated: bytes that one process may ask for; asking for more fails in that process.
        resident: bytes of memory of all processes together.
        processes: how many at a time.
        threads: how many at a time, of all processes together.
        file_size: bytes of one file, and of the whole scratch folder.
        may_sleep: whether sleeping counts as working. A process that waits for requests may not.
    """

    seconds: float = 120.0
    allocated: int = 16 * 2**30
    resident: int = 4 * 2**30
    processes: int = 64
    threads: int = 1000
    file_size: int = 256 * 2**20
    may_sleep: bool = True


def _end_all() -> None:
    """Kill all descendants, and those that they start meanwhile, until none is left."""
    for _ in range(1000):
        for process in descendants(os.getpid()):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:  # this process adopts orphans, so none is left
            return
        time.sleep(0.002)


def _exceeded_limit(limits: Limits) -> str:
    found = descendants(os.getpid())
    if len(found) > limits.processes or sum(map(count_threads, found)) > limits.threads:
        return "processes"
    shared = resident_bytes(os.getpid())  # every fork shares this much with the zygote
    if sum(max(0, resident_bytes(process) - shared) for process in found) > limits.resident:
        return "memory"
    return ""


def keep(work: Callable[[], None], lifeline: int, limits: Limits, *, confine: bool) -> str:
    """Run `work` in a child until it ends, exceeds its limits, or the grader hangs up.

    Args:
        work: what the child runs; the child ends with it.
        lifeline: a socket; when the grader closes its other end, everything ends.
        limits: for all the child's processes together.
        confine: whether the child gets namespaces of its own.

    Returns:
        "" if the child ended by itself, else "timeout", "stalled" or "starved" (see
        `processes.usage.Overdue`), "memory", "processes", "hung-up" or "unconfined" (the kernel
        refused the namespaces).
    """
    namespaces.adopt_orphans()
    if confine:
        try:
            namespaces.separate()
        except OSError:
            return "unconfined"
    child = os.fork()
    if child == 0:
        os.close(lifeline)
        work()
        os._exit(0)
    # Processes that have ended count in this one, which has waited for them.
    stopwatch = Stopwatch(os.getpid(), may_sleep=limits.may_sleep)
    reason, ended = "", os.pidfd_open(child)
    while not reason:
        ready = select.select([lifeline, ended], [], [], POLL_SECONDS)[0]
        if ended in ready:
            break
        if lifeline in ready:
            reason = "hung-up"
        else:
            reason = stopwatch.overdue(limits.seconds) or _exceeded_limit(limits)
    _end_all()
    return reason
