"""autograder: checks student functions for outputs, purity, compilations, speed and memory.

The names below are loaded when first used, so that the pytest plug-in, which pytest loads in
every project, costs no import of JAX.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from autograder.criteria.compilations.limit import (
        TooManyCompilations as TooManyCompilations,
    )
    from autograder.criteria.compilations.limit import compiles as compiles
    from autograder.learner.defending import defend as defend
    from autograder.learner.installing import complete_installation as complete_installation
    from autograder.learner.kernel import check as check
    from autograder.learner.predicting import outcome as outcome
    from autograder.learner.predicting import predict as predict
    from autograder.model.exercise import BehaviourExercise as BehaviourExercise
    from autograder.model.exercise import Comparison as Comparison
    from autograder.model.exercise import Compilations as Compilations
    from autograder.model.exercise import Loop as Loop
    from autograder.model.exercise import Memory as Memory
    from autograder.model.exercise import Predictions as Predictions
    from autograder.model.exercise import ProgramExercise as ProgramExercise
    from autograder.model.exercise import Speed as Speed
    from autograder.model.finding import Finding as Finding
    from autograder.model.report import CriterionResult as CriterionResult
    from autograder.model.report import Report as Report
    from autograder.model.report import Status as Status
    from autograder.model.rubric import Rubric as Rubric
    from autograder.render.score import Score as Score

_HOME = {
    "check": "learner.kernel",
    "defend": "learner.defending",
    "complete_installation": "learner.installing",
    "Finding": "model.finding",
    "CriterionResult": "model.report",
    "Report": "model.report",
    "Status": "model.report",
    "Rubric": "model.rubric",
    **dict.fromkeys(
        (
            "BehaviourExercise",
            "Comparison",
            "Compilations",
            "Loop",
            "Memory",
            "Predictions",
            "ProgramExercise",
            "Speed",
        ),
        "model.exercise",
    ),
    "outcome": "learner.predicting",
    "predict": "learner.predicting",
    "Score": "render.score",
    "TooManyCompilations": "criteria.compilations.limit",
    "compiles": "criteria.compilations.limit",
}
__all__ = list(_HOME)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        if name[0] != "_":  # perhaps a name of another package that is called autograder
            from plnkit.installation import find_problem

            if problem := find_problem():
                raise ImportError(f"the kit's `autograder` has no {name!r}. {problem}")
        raise AttributeError(f"module 'autograder' has no attribute {name!r}")
    if name == "check":
        from autograder.learner.installing import find_old_jax

        if problem := find_old_jax():
            raise ImportError(problem)
        import plnkit  # noqa: F401  (sets the compiler flag before a backend can start)
    value = getattr(import_module(f"autograder.{_HOME[name]}"), name)
    globals()[name] = value  # found without this function from now on
    return value
