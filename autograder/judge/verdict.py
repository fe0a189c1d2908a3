"""Everything that programs can prove of one exercise, by criterion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.core.finding import Finding
from autograder.core.kit_fault import kit_finding
from autograder.core.observation import Observation
from autograder.core.rubric import PUBLIC_KEY, RubricError, redrawn
from autograder.core.rubric_files import load_rubric
from autograder.core.running import Results
from autograder.criteria.compilations.judge import judge_one_program, judge_unrolling
from autograder.criteria.outputs.answers import judge_answers
from autograder.criteria.outputs.judge import judge_outputs, judge_values
from autograder.criteria.outputs.references import reference_results, right_answers
from autograder.criteria.purity.judge import judge_agreement, judge_echo
from autograder.criteria.speed.judge import judge_loading


@dataclass(frozen=True)
class Verdict:
    """What programs prove: findings by criterion."""

    findings: Mapping[str, Sequence[Finding]]


def judge(
    source: str,
    exercise_name: str,
    key: int,
    observation: Observation,
    to_time: bool = False,
    redraws: Mapping[int, int] | None = None,
) -> Verdict:
    """Everything that programs can prove.

    With `to_time`, the last program is the one whose speed will be measured: one that cannot be
    loaded anywhere need not wait for a GPU. The programs were made for the draws that `redraws`
    leads to.
    """
    redraws = redraws or {}
    rubric = load_rubric(source)
    exercise = redrawn(rubric.exercise(exercise_name), redraws)
    if exercise.kind == "answers":
        right = right_answers(source, rubric.digest, exercise.name)
        return Verdict({"outputs": judge_answers(exercise, right, observation.answers)})
    if exercise.kind == "behaviour":
        again = redraws.get(PUBLIC_KEY, 0)
        values = reference_results(source, rubric.digest, exercise.name, PUBLIC_KEY, again)
        if observation.observed.get("outputs"):
            return Verdict({"outputs": []})  # a call that failed, say; what was seen tells more
        wrong = judge_values(exercise, values, observation.public)
        return Verdict({"outputs": [wrong] if wrong else []})
    again = redraws.get(key, 0)
    expected = reference_results(source, rubric.digest, exercise.name, key, again)
    public_calls = len(exercise.calls(PUBLIC_KEY))
    judged = observation.programs[: len(expected)]
    public = observation.programs[len(expected) : len(expected) + public_calls]
    after = len(expected) + public_calls
    unrolling = observation.programs[after : after + len(exercise.unrolling_calls())]
    results = Results()
    # An adapter, or the gradient, has operations of its own around the student's.
    plain = exercise.adapter is None and exercise.gradient is None and exercise.one_program
    found: dict[str, list[Finding | None]] = {
        "outputs": [_proved(judge_outputs, exercise, expected, judged, results)],
        "purity": [
            _proved(judge_echo, observation.programs, observation.echo)
            if observation.echo
            else None,
            _proved(judge_agreement, exercise, public, observation.public, results),
        ],
        "compilations": [
            _proved(judge_one_program, judged) if plain else None,
            _proved(judge_unrolling, unrolling),
        ],
    }
    if to_time and exercise.speed is not None and not any(found["outputs"]):
        found["speed"] = [_proved(judge_loading, observation.programs[-1])]
    return Verdict({name: [f for f in some if f is not None] for name, some in found.items()})


def _proved(judged: Callable[..., Finding | None], *args: Any) -> Finding | None:
    """One thing that is wrong, if any; where the kit itself fails, the others still count."""
    try:
        return judged(*args)
    except RubricError:
        raise
    except Exception as error:
        return kit_finding(error)
