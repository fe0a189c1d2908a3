"""What the judge proves on programs: right results, one meaning everywhere, no unrolled loop."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from autograder import _jax_internals
from autograder.finding import Finding
from autograder.messages import outputs as messages
from autograder.messages import programs as about
from autograder.messages.values import brief, call_text
from autograder.observation import Observation, Returned
from autograder.outputs import Expected, compare_results, expected_results
from autograder.pictures import Curve, Picture, points
from autograder.program import Program, ProgramError, load_program, runnable, split_data
from autograder.rubric import ITERATIONS, PUBLIC_KEY, Exercise, load_rubric
from autograder.speed_criterion import cpu_speed


@lru_cache(maxsize=64)
def reference_results(
    source: str, digest: str, exercise: str, key: int
) -> list[tuple[tuple, Expected | None]]:
    """Calls and right results, kept because they are the dear part of judging."""
    found = load_rubric(source).exercise(exercise)
    if found.reference is None:
        return [(args, None) for args in found.calls(key)]
    reference = found.results(found.reference)
    return [(args, expected_results(reference, args)) for args in found.calls(key)]


@lru_cache(maxsize=64)
def right_answers(source: str, digest: str, exercise: str) -> dict[str, Any]:
    """What running the code shows, for each question of an exercise judged by answers."""
    reference = load_rubric(source).exercise(exercise).reference
    assert reference is not None
    return reference()


@lru_cache(maxsize=64)
def _load(blob: bytes) -> Callable[[tuple], list[np.ndarray]]:
    """A program ready to run, compiled once however many calls it serves."""
    return runnable(load_program(blob))


class Results:
    """Results of one request's programs: what has been run is not run again."""

    def __init__(self) -> None:
        self._known: dict[tuple, list[np.ndarray]] = {}

    def run(self, blob: bytes, args: tuple) -> list[np.ndarray]:
        data, _ = split_data(args)
        key = (blob, *(x.tobytes() for x in data))
        if key not in self._known:
            self._known[key] = _load(blob)(args)
        return self._known[key]


@dataclass(frozen=True)
class Verdict:
    """What programs prove: findings by criterion, and by criterion what a card draws of it."""

    findings: Mapping[str, Sequence[Finding]]
    pictures: Mapping[str, Picture] = field(default_factory=dict)


_CALLS = {"func.call", "func.return", "stablehlo.constant"}


def _error(rule: str, message: str, line: int | None = None) -> Finding:
    return Finding(rule, "error", line, message)


def judge_outputs(
    exercise: Exercise,
    expected: Sequence[tuple[tuple, Expected | None]],
    programs: Sequence[Program | None],
    results: Results,
) -> Finding | None:
    """The first thing that is wrong with what the programs compute."""
    for (args, right), program in zip(expected, programs, strict=True):
        if program is None:
            return _error("no-export", about.PROGRAM_RULES["no-export"])
        try:
            got = results.run(program.blob, args)
        except ProgramError as error:
            return _error(error.rule, about.PROGRAM_RULES[error.rule].format(detail=error))
        except Exception as error:  # XLA's own: out of memory, a shape it cannot compile
            detail = f"{type(error).__name__}: {str(error).split(chr(10))[0][:200]}"
            return _error("run-failed", about.PROGRAM_RULES["run-failed"].format(detail=detail))
        finding = _compare(exercise, program.names, got, right, args)
        if finding is not None:
            return finding
    return None


def _compare(
    exercise: Exercise,
    names: tuple[str, ...],
    got: list[np.ndarray],
    right: Expected | None,
    args: tuple,
) -> Finding | None:
    name = exercise.entry_points[0]
    if right is not None:
        return compare_results(names, got, right, args, name, exercise.cap)
    assert exercise.compare is not None
    wrong = exercise.compare(args, got)
    return _error("wrong-output", f"{call_text(name, args)}: {wrong}") if wrong else None


def judge_values(
    exercise: Exercise,
    expected: Sequence[tuple[tuple, Expected | None]],
    public: Sequence[Returned | None],
) -> Finding | None:
    """The first thing that is wrong with what the function returned in the student's process."""
    if len(public) != len(expected):
        return _error("no-value", messages.NO_VALUE)
    for (args, right), returned in zip(expected, public, strict=True):
        if returned is None:
            return _error("no-value", messages.NO_VALUE)
        finding = _compare(exercise, returned.names, list(returned.leaves), right, args)
        if finding is not None:
            return finding
    return None


def judge_answers(
    exercise: Exercise, right: Mapping[str, Any], answers: Mapping[str, Any]
) -> list[Finding]:
    """One finding for each answer that is wrong or missing."""
    name, questions = exercise.entry_points[0], exercise.questions
    findings = []
    for question in questions:
        got = answers.get(question)
        if got is None:
            text = messages.NO_ANSWER.format(name=name, question=question)
            findings.append(_error("no-answer", text))
        elif not _same_answer(got, right[question]):
            think = questions[question] if isinstance(questions, Mapping) else messages.LOOK_AGAIN
            text = messages.WRONG_ANSWER.format(name=name, question=question, got=got, think=think)
            findings.append(_error("wrong-answer", text))
    return findings


def _same_answer(got: Any, right: Any) -> bool:
    """Whether two literals are the same answer: 2 is as good as 2.0, but 1 is not True."""
    if type(got) in (int, float) and type(right) in (int, float):
        return got == right
    return type(got) is type(right) and got == right


def _agree(got: np.ndarray, want: np.ndarray) -> bool:
    if got.shape != want.shape or got.dtype != want.dtype:
        return False
    if not np.issubdtype(want.dtype, np.inexact):
        return bool((got == want).all())
    scale = float(np.max(np.abs(want), where=np.isfinite(want), initial=0.0))
    return np.allclose(got, want, rtol=1e-3, atol=1e-3 * scale, equal_nan=True)


def judge_agreement(
    exercise: Exercise,
    programs: Sequence[Program | None],
    public: Sequence[Returned | None],
    results: Results,
) -> Finding | None:
    """Hold what the function returned in the student's process against its programs."""
    for args, program, returned in zip(exercise.calls(PUBLIC_KEY), programs, public, strict=True):
        if program is None or returned is None:
            continue
        leaves = returned.leaves
        try:
            want = results.run(program.blob, args)
        except Exception:
            return None  # the outputs criterion says why
        if len(leaves) == len(want) and all(map(_agree, leaves, want)):
            continue
        text = about.DISAGREES.format(
            call=call_text(exercise.entry_points[0], args),
            got=", ".join(map(brief, leaves)),
            want=", ".join(map(brief, want)),
        )
        return _error("disagrees-with-program", text)
    return None


def judge_echo(
    programs: Sequence[Program | None], echo: Sequence[Program | None]
) -> Finding | None:
    """Whether two processes export the same programs; what differs came from outside."""
    for program, other in zip(programs, echo, strict=False):
        if program is None or other is None:
            if program is not other:
                return _error("differs-between-processes", about.DIFFERS_ALTOGETHER)
            continue
        if program.blob == other.blob:
            continue
        try:
            modules = [load_program(p.blob).mlir_module() for p in (program, other)]
        except ProgramError:
            return None  # the outputs criterion says why
        difference = _jax_internals.first_difference(*modules)
        if difference is not None:
            text = about.DIFFERS.format(operation=difference.operation)
            return _error("differs-between-processes", text, difference.line)
    return None


def judge_one_program(programs: Sequence[Program | None]) -> Finding | None:
    """Whether the programs do nothing but call jitted functions: eager code would show there."""
    for program in programs:
        if program is None:
            continue
        try:
            module = load_program(program.blob).mlir_module()
        except ProgramError:
            return None  # the outputs criterion says why
        eager = _jax_internals.main_operations(module) - _CALLS
        if eager:
            names = ", ".join(sorted(name.split(".")[-1] for name in eager)[:5])
            return _error("eager-code", about.NOT_JITTED.format(names=names))
    return None


def judge_unrolling(programs: Sequence[Program | None]) -> Finding | None:
    """Whether the program grows with the number of iterations."""
    if len(programs) != len(ITERATIONS) or any(p is None for p in programs):
        return None
    try:
        modules = [load_program(p.blob).mlir_module() for p in programs if p is not None]
    except ProgramError:
        return _error("unrolled", about.UNROLLED.format(few="", many="", sizes="too many"))
    few, many = (_jax_internals.inspect_module(m).operations for m in modules)
    if many <= few:
        return None
    text = about.UNROLLED.format(few=ITERATIONS[0], many=ITERATIONS[1], sizes=f"{few} to {many}")
    return _error("unrolled", text)


@lru_cache(maxsize=64)
def _reference_curve(source: str, digest: str, exercise: str) -> np.ndarray:
    found = load_rubric(source).exercise(exercise)
    assert found.curve is not None and found.reference is not None
    reference = found.results(found.reference)
    return expected_results(reference, found.unrolling_calls()[-1]).exact[found.curve[1]]


def draw_curve(source: str, exercise_name: str, blob: bytes) -> Curve | None:
    """A program's values by iteration over the reference's, for an exercise with a `curve`.

    Args:
        source, exercise_name: rubric and exercise.
        blob: the program of the last of the exercise's `unrolling_calls`.
    """
    rubric = load_rubric(source)
    exercise = rubric.exercise(exercise_name)
    assert exercise.curve is not None
    name, position = exercise.curve
    right = _reference_curve(source, rubric.digest, exercise.name)
    try:
        got = _load(blob)(exercise.unrolling_calls()[-1])[position]
    except Exception:  # it cannot run, or gives other results: the outputs criterion says why
        return None
    if got.shape != right.shape or not np.issubdtype(got.dtype, np.floating):
        return None
    return Curve(name, points(got.tolist()), points(right.tolist()))


def judge(
    source: str, exercise_name: str, key: int, observation: Observation, inform: bool = False
) -> Verdict:
    """Everything that programs can prove.

    With `inform`, learners are told how fast their program is on this CPU, which takes long: the
    points wait for a GPU anyway.
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
