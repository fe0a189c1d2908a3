"""Times a learner's program on this machine: a verdict beside a GPU, information elsewhere.

The program is timed as those of a class are, in a process of its own. This process never asks JAX
for its devices: that would start CUDA, and take three quarters of the GPU's memory.
"""

from __future__ import annotations

import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from autograder.criteria.speed.bundle import BundleWriter, read_bundle
from autograder.criteria.speed.decision import speed_of, with_information, with_speed
from autograder.criteria.speed.results import make_record
from autograder.criteria.speed.speed_process import SpeedProcess, SpeedProcessError
from autograder.criteria.speed.standards import add_to_bundle
from autograder.model.exercise import ProgramExercise
from autograder.model.report import Report, Status
from autograder.model.rubric import PUBLIC_KEY, Rubric

_LIMITS = {"gpu": 60.0, "cpu": 2.0}
_PATIENCE_SECONDS = 120.0


def measure(
    rubric: Rubric, exercise: ProgramExercise, program: bytes
) -> tuple[dict[str, Any], str, int]:
    """Time a program exported for `exercise.speed_calls(PUBLIC_KEY)` beside the baseline.

    It is timed on a GPU where JAX finds one, else on the CPU.

    Returns:
        The comparison as `SpeedProcess.compare` gives it, the kind of device, and how many threads
        a CPU's programs run with.

    Raises:
        RubricError: the baseline cannot be exported.
    """
    own = "" if rubric.source == rubric.lesson else rubric.source
    with (
        tempfile.TemporaryDirectory(prefix="autograder-") as folder,
        closing(SpeedProcess("any", silent=True)) as process,
    ):
        try:
            process.start()
        except SpeedProcessError as error:
            failed = {"verdict": "inconclusive", "reason": str(error), "fault": True}
            return failed, "none", 0
        writer = BundleWriter(Path(folder) / "bundle")
        add_to_bundle(writer, rubric, exercise, program, PUBLIC_KEY, stays_here=True)
        bundle = read_bundle(writer.close())
        limit = _LIMITS[process.platform]
        outcome = process.compare(bundle, 0, limit, _PATIENCE_SECONDS, own)
        return outcome, process.platform, process.threads


def time_here(
    report: Report, rubric: Rubric, exercise: ProgramExercise, program: bytes | None
) -> Report:
    """Return the report with the verdict on the program's speed, or with what this CPU shows.

    Args:
        report: where its speed is not pending, it is returned as it is.
        rubric, exercise: what the program was made for.
        program: exported for the call to time; None where there is none.

    Raises:
        RubricError: the baseline cannot be exported.
    """
    found, required = speed_of(report), exercise.speed
    is_pending = found is not None and found.status is Status.PENDING
    if not is_pending or required is None or program is None:
        return report
    outcome, platform, threads = measure(rubric, exercise, program)
    decides = platform == "gpu"
    record = make_record(outcome, required.threshold, required.factor, decides=decides)
    if decides:
        return with_speed(report, record)
    return with_information(report, record, threads)
