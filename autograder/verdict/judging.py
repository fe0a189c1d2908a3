"""Everything that programs can prove of one exercise, by criterion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograder.finding import Finding
from autograder.kit_fault import kit_finding
from autograder.observation import Observation
from autograder.pictures import Picture
from autograder.rubric import PUBLIC_KEY, RubricError, load_rubric, redrawn
from autograder.speed_criterion import cpu_speed
from autograder.verdict.answers import judge_answers
from autograder.verdict.compilations import judge_one_program, judge_unrolling
from autograder.verdict.outputs import judge_outputs, judge_values
from autograder.verdict.purity import judge_agreement, judge_echo
from autograder.verdict.references import reference_results, right_answers
from autograder.verdict.running import Results


@dataclass(frozen=True)
class Verdict:
    """What programs prove: findings by criterion, and by criterion what a card draws of it."""

    findings: Mapping[str, Sequence[Finding]]
    pictures: Mapping[str, Picture] = field(default_factory=dict)


def judge(
    source: str,
    exercise_name: str,
    key: int,
    observation: Observation,
    inform: bool = False,
    redraws: Mapping[int, int] | None = None,
) -> Verdict:
    """Everything that programs can prove.

    With `inform`, learners are told how fast their program is on this CPU, which takes long: the
    points wait for a GPU anyway. The programs were made for the draws that `redraws` leads to.
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
    pictures: dict[str, Picture] = {}
    # An unrolled loop would take its time to compile, and is to be mended before it is timed.
    if (
        inform
        and exercise.speed is not None
        and not any((*found["outputs"], *found["compilations"]))
    ):
        program = observation.programs[-1]
        if program is not None:
            said, bars = cpu_speed(exercise, program, key)
            found["speed"] = [said]
            pictures |= {"speed": bars} if bars else {}
    findings = {name: [f for f in some if f is not None] for name, some in found.items()}
    return Verdict(findings, pictures)


def _proved(judged: Callable[..., Finding | None], *args: Any) -> Finding | None:
    """One thing that is wrong, if any; where the kit itself fails, the others still count."""
    try:
        return judged(*args)
    except RubricError:
        raise
    except Exception as error:
        return kit_finding(error)
