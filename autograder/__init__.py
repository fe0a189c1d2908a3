"""autograder: checks student functions for outputs, purity, compilations and speed.

The names below are loaded when first used, so that the pytest plug-in, which pytest loads in
every project, costs no import of JAX.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.checking import check as check
    from autograder.finding import Finding as Finding
    from autograder.report import CriterionResult as CriterionResult
    from autograder.report import Report as Report
    from autograder.report import Status as Status
    from autograder.rubric import Exercise as Exercise
    from autograder.rubric import Rubric as Rubric
    from autograder.rubric import Speed as Speed
    from autograder.score import Score as Score

_HOME = {
    "check": "checking",
    "Finding": "finding",
    "CriterionResult": "report",
    "Report": "report",
    "Status": "report",
    "Exercise": "rubric",
    "Rubric": "rubric",
    "Score": "score",
    "Speed": "rubric",
}
__all__ = [
    "CriterionResult",
    "Exercise",
    "Finding",
    "Report",
    "Rubric",
    "Score",
    "Speed",
    "Status",
    "check",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'autograder' has no attribute {name!r}")
    if name == "check":
        import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
    return getattr(import_module(f"autograder.{_HOME[name]}"), name)
