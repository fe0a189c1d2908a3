"""How the kit's own processes start: from its own files, with the threads of one core.

XLA, LLVM and OpenBLAS start several threads for every core: 233 on a machine with 16 cores, most
of them idle. Their number must not decide how a program is judged.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ONE_CORE = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "NPROC": "1",  # XLA reads it where a process cannot be pinned to one core
    "PJRT_NPROC": "1",
}
"""The environment of a process that calls `pin_to_one_core`: libraries read it when they load."""

_LESS_OPTIMIZED = (
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true "
    "--xla_cpu_parallel_codegen_split_count=1"
)
_OLD_EMITTERS = "--xla_cpu_use_fusion_emitters=false"
"""They compile in a third of the time; newer releases of jaxlib do not have them."""

_SETTINGS = ("JAX_", "XLA_PYTHON")
"""How the names of a user's settings of JAX begin."""
_STAYING = ("JAX_PLATFORMS", "JAX_COMPILATION_CACHE", "JAX_PERSISTENT_CACHE")
"""Those that decide where a program runs, or where it is kept, but not what comes of it."""

_HOME = str(Path(__file__).resolve().parents[2])
_HAS_AFFINITY = hasattr(os, "sched_setaffinity")
_ALLOWED: set[int] = os.sched_getaffinity(0) if _HAS_AFFINITY else set()


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def module_command(module: str, *arguments: str) -> list[str]:
    """Return the command for one of the kit's modules; -P ignores those in the current folder."""
    return [sys.executable, "-P", "-m", module, *arguments]


def with_kit(environment: Mapping[str, str]) -> dict[str, str]:
    """Extend an environment so that a child imports the same kit as this process."""
    path = os.pathsep.join(filter(None, [_HOME, environment.get("PYTHONPATH", "")]))
    return {**environment, "PYTHONPATH": path}


def without_settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which JAX works as it does by default.

    What a user set for a notebook must not decide how its programs are judged: with
    JAX_DISABLE_JIT=1, none of them runs, and JAX_PLATFORM_NAME=gpu asks for a device that the judge
    does not have.
    """
    return {
        name: value
        for name, value in environment.items()
        if name.startswith(_STAYING) or not name.startswith(_SETTINGS)
    }


def compiling_fast(environment: Mapping[str, str]) -> dict[str, str]:
    """Extend an environment so that XLA optimizes less, where the installed jaxlib allows for it.

    Most programs run once or twice here. A whole fit is then compiled in a fifth of the time, with
    the newest releases in half. Use this for no process that measures time.
    """
    from plnkit.compiler_guard import works_with  # `doctor` says so where there is no JAX

    flags = f"{_LESS_OPTIMIZED} {_OLD_EMITTERS}"
    if not works_with(flags):
        flags = _LESS_OPTIMIZED if works_with(_LESS_OPTIMIZED) else ""
    return {**environment, "XLA_FLAGS": f"{flags} {environment.get('XLA_FLAGS', '')}".strip()}


def caching_in(folder: Path) -> dict[str, str]:
    """Return variables that let JAX keep in a folder what it compiles, small programs included."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(folder),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a child and close the pipe to it; whoever reads from it meets its end."""
    process.kill()
    process.wait()
    if process.stdin is not None:
        with contextlib.suppress(OSError):  # it holds what the child has not read
            process.stdin.close()


def pin_to_one_core(number: int | None = None) -> None:
    """Pin this process to one of its cores. Call this before JAX starts its backend.

    Args:
        number: of the core among those it may use, modulo how many they are. By default that of the
            process: the next one gets another core.
    """
    cores, first = sorted(_ALLOWED), os.getpid() if number is None else number
    for turn in range(len(cores)):
        try:
            os.sched_setaffinity(0, {cores[(first + turn) % len(cores)]})
        except OSError:  # this core has been taken away from us
            continue
        return


def release() -> None:
    """Let all threads of this process run on all cores again.

    Call this after the first compilation: before it, XLA has not started all its threads. XLA also
    starts a thread for each core when it first runs a program that was exported elsewhere.
    """
    if not _HAS_AFFINITY:
        return
    try:
        threads = [int(name) for name in os.listdir("/proc/self/task")]
    except OSError:  # a sandbox without /proc: only the current thread can be named
        threads = [0]
    for thread in threads:
        with contextlib.suppress(OSError):  # the thread has ended, or the cores have changed
            os.sched_setaffinity(thread, _ALLOWED)
