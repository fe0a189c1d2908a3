"""Watches over one submission's processes, from outside their namespaces, and ends them all.

Forked from the zygote, so without threads; it holds nothing that a submission could want.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Callable

from autograder.core.process_usage import descendants, resident_bytes
from autograder.core.stopwatch import Stopwatch
from autograder.sandbox import namespaces
from autograder.sandbox.limits import Limits

LOOK_SECONDS = 0.05


def _end_all() -> None:
    """Kill every descendant, and those that they start meanwhile, until none is left."""
    for _ in range(1000):
        found = list(descendants(os.getpid()))
        for process in found:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not found:
            return
        time.sleep(0.002)


def _watched() -> list[int]:
    """This process, in which those that have ended count, and all below it."""
    return [os.getpid(), *descendants(os.getpid())]


def _too_much(limits: Limits) -> str:
    found = list(descendants(os.getpid()))
    if len(found) > limits.processes:
        return "processes"
    shared = resident_bytes(os.getpid())  # what every fork has from the zygote
    if sum(max(0, resident_bytes(process) - shared) for process in found) > limits.resident:
        return "memory"
    return ""


def keep(work: Callable[[], None], lifeline: int, limits: Limits, *, confine: bool) -> str:
    """Run `work` in a child and wait for its end, for the limits, or for the grader's hanging up.

    Args:
        work: run in the child, which ends with it.
        lifeline: a socket whose other end the grader holds; closed there, everything ends.
        limits: of all the child's processes together.
        confine: whether the child gets namespaces of its own.

    Returns:
        "" when the child ended by itself, else "timeout", "starved" (other work had the
        processors), "memory", "processes", "hung-up" or "unconfined" (the namespaces could not be
        made).
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
    stopwatch = Stopwatch(_watched, may_sleep=True)
    reason, ended = "", os.pidfd_open(child)
    while not reason:
        ready = select.select([lifeline, ended], [], [], LOOK_SECONDS)[0]
        if ended in ready:
            break
        if lifeline in ready:
            reason = "hung-up"
        else:
            reason = stopwatch.overdue(limits.seconds) or _too_much(limits)
    _end_all()
    return reason
