"""Start a process's JAX with the threads of one core, whatever the machine has.

XLA, LLVM and OpenBLAS start several threads for every core: 233 where 16 cores are, most of them
idle. The number must not decide how a program fares.
"""

from __future__ import annotations

import os

ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NPROC": "1",  # what XLA reads where a process cannot be confined to one core
    "PJRT_NPROC": "1",
}
"""For the environment of a process that calls `confine`: read when the libraries are loaded."""

_HAS_AFFINITY = hasattr(os, "sched_setaffinity")
_ALLOWED: set[int] = os.sched_getaffinity(0) if _HAS_AFFINITY else set()
_THREADS = "/proc/self/task"


def confine() -> None:
    """Confine this process to one of its cores; call it before JAX starts its backend."""
    cores, first = sorted(_ALLOWED), os.getpid()  # another one for the next process
    for turn in range(len(cores)):
        try:
            os.sched_setaffinity(0, {cores[(first + turn) % len(cores)]})
        except OSError:  # it was taken away meanwhile
            continue
        return


def release() -> None:
    """Let the threads that are there now, and new ones, run on all cores again.

    Call it once something has been compiled: until then, XLA has not started all its threads. It
    starts one for each core, too, when it first runs a program that was exported elsewhere.
    """
    if not _HAS_AFFINITY:
        return
    try:
        threads = [int(name) for name in os.listdir(_THREADS)]
    except OSError:  # a sandbox without /proc: only this thread can be named
        threads = [0]
    for thread in threads:
        try:
            os.sched_setaffinity(thread, _ALLOWED)
        except OSError:  # it has ended, or the cores that are allowed have changed
            continue
