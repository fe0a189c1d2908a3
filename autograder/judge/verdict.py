"""Everything that programs can prove of one exercise, by criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from autograder.core.finding import Finding
from autograder.core.observation import Observation
from autograder.core.program import Program
from autograder.core.rubric import redrawn
from autograder.core.rubric_files import load_rubric
from autograder.criteria import REGISTRY
from autograder.criteria.shape import Case


def judge(
    source: str,
    exercise: str,
    key: int,
    observation: Observation,
    to_time: bool = False,
    redraws: Mapping[int, int] | None = None,
    yardstick: Sequence[Program | None] = (),
) -> dict[str, list[Finding]]:
    """Judge an observation by all criteria.

    Args:
        source: what the rubric is found by.
        exercise: its name.
        key: of the draws to judge with.
        observation: what the worker handed over.
        to_time: whether the last program is the one whose speed will be measured.
        redraws: of the exercise that the programs were made for.
        yardstick: the lesson's own solution, exported for the same calls.

    Returns:
        Findings by criterion.
    """
    rubric = load_rubric(source)
    found = redrawn(rubric.exercise(exercise), redraws or {})
    case = Case(source, rubric.digest, found, key, observation, to_time, yardstick)
    for criterion in REGISTRY:
        case.findings[criterion.name] = criterion.judge(case)
    return case.findings
