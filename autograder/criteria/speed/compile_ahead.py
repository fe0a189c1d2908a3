"""Compiles the programs of a bundle on all cores, before one process times them one by one.

The processes share JAX's compilation cache with the one that times. A program that ends or hangs
its process here does so to nobody else.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable
from pathlib import Path

from autograder.criteria.speed.bundle import Bundle
from autograder.criteria.speed.timing_process import TimingProcess, TimingProcessError
from autograder.processes.child_process import count_cores

_MOST_PROCESSES = 8
"""Each of them takes some hundred megabytes of a GPU's memory."""
_FEW = 2
"""So many compilations take less time than the start of a process for them."""


def compile_ahead(
    bundle: Bundle, indices: Iterable[int], platform: str, cache: Path, patience: float
) -> None:
    """Fill a compilation cache with all that some entries need; few are left to who times them.

    Args:
        bundle: as read.
        indices: of the entries.
        platform, cache: of the process that times them; see `TimingProcess`.
        patience: seconds after which a process is killed that still compiles one program.
    """
    parts = _find_parts(bundle, indices)
    count = min(_MOST_PROCESSES, count_cores(), len(parts) // _FEW)
    if count < 2:
        return
    left: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
    for part in parts:
        left.put(part)

    def work() -> None:
        process: TimingProcess | None = None
        try:
            while True:
                index, part = left.get_nowait()
                process = process or TimingProcess(bundle.path, platform, silent=True, cache=cache)
                if not process.compile(index, part, patience):
                    process = None
        except (queue.Empty, TimingProcessError):  # where none starts, whoever times says why
            if process is not None:
                process.close()

    workers = [threading.Thread(target=work) for _ in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def _find_parts(bundle: Bundle, indices: Iterable[int]) -> list[tuple[int, str]]:
    """Return an entry for each thing to compile, baselines first: an eager one takes longest."""
    found: dict[tuple[str, ...], tuple[int, str]] = {}
    for index in indices:
        entry = bundle.entries[index]
        baseline = (entry.inputs, entry.exercise) if entry.eager else (entry.inputs, entry.baseline)
        found.setdefault(baseline, (index, "baseline"))
        for part in ("yardstick", "program"):
            if digest := getattr(entry, part):
                found.setdefault((entry.inputs, digest), (index, part))
    return sorted(found.values(), key=lambda one: one[1] != "baseline")
