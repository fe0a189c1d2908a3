"""The process that runs programs: one program at a time, killed from outside if one never ends.

``python -m autograder.speed.child BUNDLE PLATFORM`` reads indices of entries, one a line, and
answers each with JSON lines: ``{"event": "program"}`` before the student's program is compiled and
before it runs, ``{"event": "baseline"}`` in between, then ``{"event": "done", ...}`` with the
comparison.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import jax

import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
from autograder.speed import messages
from autograder.speed.bundle import Bundle, BundleError, read_bundle
from autograder.speed.eager import load_eager
from autograder.speed.loading import compile_program
from autograder.speed.pairs import Baseline, Comparison, Device, Runner, compare


def compare_entry(
    bundle: Bundle,
    index: int,
    device: Device,
    limit_seconds: float,
    baselines: dict[tuple, Baseline],
    now_running: Callable[[str], None],
) -> Comparison:
    """Time entry `index` of a bundle.

    Args:
        baselines: keeps those of other entries, compiled and timed.
        now_running: told ``"program"`` when the student's program is next to be compiled or run,
            ``"baseline"`` when it is the rubric's turn again.
    """
    entry = bundle.entries[index]
    path = str(bundle.path)
    draws = bundle.draws(entry.inputs)

    def load(digest: str, iterations: int) -> Runner:
        name = f"{digest}.stablehlo"
        blob = bundle.program(digest)
        return compile_program(blob, draws[0], device, iterations, path=path, name=name)

    key = (entry.baseline or entry.exercise, entry.inputs, entry.baseline_iterations)
    if key not in baselines:
        runner = (
            load_eager(entry, device)
            if entry.eager
            else load(entry.baseline, entry.baseline_iterations)
        )
        baselines[key] = Baseline(runner, draws)
    now_running("program")
    try:
        program = load(entry.program, entry.program_iterations)
    except BundleError as error:
        return Comparison("failed", str(error))
    now_running("baseline")
    return compare(
        baselines[key],
        program,
        draws,
        entry.threshold,
        limit_seconds=limit_seconds,
        before_program=lambda: now_running("program"),
    )


def _serve(path: str, platform: str, limit_seconds: float, answer: Callable[..., None]) -> None:
    bundle = read_bundle(path)
    device = jax.devices(platform)[0]
    baselines: dict[tuple, Baseline] = {}
    answer(event="ready", device=device.device_kind, jax=jax.__version__)
    for line in sys.stdin:
        try:
            comparison = compare_entry(
                bundle,
                int(line),
                device,
                limit_seconds,
                baselines,
                lambda what: answer(event=what),
            )
        except BundleError as error:
            comparison = Comparison("inconclusive", str(error))
        except Exception as error:  # XLA's own errors: out of memory, a kernel that fails
            reason = messages.NOT_STARTED.format(error=f"{type(error).__name__}: {error}"[:300])
            comparison = Comparison("inconclusive", reason)
        answer(event="done", **asdict(comparison))


def main() -> None:
    path, platform, limit_seconds = sys.argv[1:4]
    # Only answers go to the parent's pipe; whatever libraries print goes to stderr.
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)

    def answer(**message: Any) -> None:
        pipe.write(json.dumps(message) + "\n")
        pipe.flush()

    _serve(path, platform, float(limit_seconds), answer)


if __name__ == "__main__":
    main()
