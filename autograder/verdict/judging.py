"""Everything that programs can prove of one exercise, by criterion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.finding import Finding
from autograder.observation import Observation
from autograder.rubric import PUBLIC_KEY, load_rubric
from autograder.verdict.answers import judge_answers
from autograder.verdict.compilations import judge_one_program, judge_unrolling
from autograder.verdict.loading import judge_loading
from autograder.verdict.outputs import judge_outputs, judge_values
from autograder.verdict.purity import judge_agreement, judge_echo
from autograder.verdict.references import reference_results, right_answers
from autograder.verdict.running import Results


@dataclass(frozen=True)
class Verdict:
    """What programs prove: findings by criterion."""

    findings: Mapping[str, Sequence[Finding]]


def judge(
    source: str, exercise_name: str, key: int, observation: Observation, to_time: bool = False
) -> Verdict:
    """Everything that programs can prove.

    With `to_time`, the last program is the one whose speed will be measured: one that cannot be
    loaded anywhere need not wait for a GPU.
    """
    rubric = load_rubric(source)
    exercise = rubric.exercise(exercise_name)
    if exercise.kind == "answers":
        right = right_answers(source, rubric.digest, exercise.name)
        return Verdict({"outputs": judge_answers(exercise, right, observation.answers)})
    if exercise.kind == "behaviour":
        values = reference_results(source, rubric.digest, exercise.name, PUBLIC_KEY)
        if observation.observed.get("outputs"):
            return Verdict({"outputs": []})  # a call that failed, say; what was seen tells more
        wrong = judge_values(exercise, values, observation.public)
        return Verdict({"outputs": [wrong] if wrong else []})
    expected = reference_results(source, rubric.digest, exercise.name, key)
    public_calls = len(exercise.calls(PUBLIC_KEY))
    judged = observation.programs[: len(expected)]
    public = observation.programs[len(expected) : len(expected) + public_calls]
    after = len(expected) + public_calls
    unrolling = observation.programs[after : after + len(exercise.unrolling_calls())]
    results = Results()
    # An adapter, or the gradient, has operations of its own around the student's.
    plain = exercise.adapter is None and exercise.gradient is None and exercise.one_program
    found: dict[str, list[Finding | None]] = {
        "outputs": [judge_outputs(exercise, expected, judged, results)],
        "purity": [
            judge_echo(observation.programs, observation.echo) if observation.echo else None,
            judge_agreement(exercise, public, observation.public, results),
        ],
        "compilations": [
            judge_one_program(judged) if plain else None,
            judge_unrolling(unrolling),
        ],
    }
    if to_time and exercise.speed is not None and not any(found["outputs"]):
        found["speed"] = [judge_loading(observation.programs[-1])]
    return Verdict({name: [f for f in some if f is not None] for name, some in found.items()})
