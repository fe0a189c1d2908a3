"""What `check` and `defend` are in a worker: calls that judge nothing.

A student may call them anywhere: below a function, in an `if`, in a loop, under another name. The
cell runs as it stands, and the grader judges by itself, outside of this process.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from autograder.model.report import CriterionResult, Report, Status

Points = Mapping[str, Mapping[str, float]]
"""By exercise, the points of each criterion."""


def replace_check_and_defend(points: Points) -> None:
    """Put such calls in the place of `check` and `defend`, for cells that are going to run.

    Args:
        points: of the lesson's exercises.
    """

    def check(exercise: str, criterion: str | None = None, **_options: Any) -> Any:
        """Return the full marks, which is what a notebook that is done gets in a kernel."""
        from autograder.render.score import Score  # few cells call it, and it takes a while

        possible = points.get(exercise, {})
        names = [name for name in possible if criterion in (None, name)]
        return Score(Report("", exercise, tuple(_full(name, possible[name]) for name in names)))

    def defend(exercise: str, **_answers: Any) -> None:
        """Ask nothing: the grader reads the answers in the defence cell."""

    kit: Any = sys.modules["autograder"]
    kit.check, kit.defend = check, defend


def _full(name: str, possible: float) -> CriterionResult:
    waits = name == "speed"
    status, earned = (Status.PENDING, 0.0) if waits else (Status.PASSED, possible)
    return CriterionResult(name, status, earned, possible, "observed")
