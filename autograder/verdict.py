"""What the judge proves on programs: right results, one meaning everywhere, no unrolled loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from autograder import _jax_internals, messages
from autograder.finding import Finding
from autograder.observation import Observation
from autograder.outputs import Expected, compare_results, expected_results
from autograder.program import Program, ProgramError, load_program, runnable, split_data
from autograder.rubric import ITERATIONS, PUBLIC_KEY, Exercise, load_rubric
from autograder.speed_criterion import cpu_speed


@lru_cache(maxsize=64)
def reference_results(
    source: str, digest: str, exercise: str, key: int
) -> list[tuple[tuple, Expected]]:
    """Calls and right results, kept because they are the dear part of judging."""
    found = load_rubric(source).exercise(exercise)
    reference = found.results(found.reference)
    return [(args, expected_results(reference, args)) for args in found.calls(key)]


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


_CALLS = {"func.call", "func.return", "stablehlo.constant"}


def _error(rule: str, message: str, line: int | None = None) -> Finding:
    return Finding(rule, "error", line, message)


def judge_outputs(
    exercise: Exercise,
    expected: Sequence[tuple[tuple, Expected]],
    programs: Sequence[Program | None],
    results: Results,
) -> Finding | None:
    """The first thing that is wrong with what the programs compute."""
    for (args, right), program in zip(expected, programs, strict=True):
        if program is None:
            return _error("no-export", messages.PROGRAM_RULES["no-export"])
        try:
            got = results.run(program.blob, args)
        except ProgramError as error:
            return _error(error.rule, messages.PROGRAM_RULES[error.rule].format(detail=error))
        except Exception as error:  # XLA's own: out of memory, a shape it cannot compile
            detail = f"{type(error).__name__}: {str(error).split(chr(10))[0][:200]}"
            return _error("run-failed", messages.PROGRAM_RULES["run-failed"].format(detail=detail))
        name = exercise.entry_points[0]
        finding = compare_results(program.names, got, right, args, name, exercise.cap)
        if finding is not None:
            return finding
    return None


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
    public: Sequence[tuple[np.ndarray, ...] | None],
    results: Results,
) -> Finding | None:
    """Hold what the function returned in the student's process against its programs."""
    for args, program, leaves in zip(exercise.calls(PUBLIC_KEY), programs, public, strict=True):
        if program is None or leaves is None:
            continue
        try:
            want = results.run(program.blob, args)
        except Exception:
            return None  # the outputs criterion says why
        if len(leaves) == len(want) and all(map(_agree, leaves, want)):
            continue
        text = messages.DISAGREES.format(
            call=messages.call_text(exercise.entry_points[0], args),
            got=", ".join(map(messages.brief, leaves)),
            want=", ".join(map(messages.brief, want)),
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
                return _error("differs-between-processes", messages.DIFFERS_ALTOGETHER)
            continue
        if program.blob == other.blob:
            continue
        try:
            modules = [load_program(p.blob).mlir_module() for p in (program, other)]
        except ProgramError:
            return None  # the outputs criterion says why
        difference = _jax_internals.first_difference(*modules)
        if difference is not None:
            text = messages.DIFFERS.format(operation=difference.operation)
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
            return _error("eager-code", messages.NOT_JITTED.format(names=names))
    return None


def judge_unrolling(programs: Sequence[Program | None]) -> Finding | None:
    """Whether the program grows with the number of iterations."""
    if len(programs) != len(ITERATIONS) or any(p is None for p in programs):
        return None
    try:
        modules = [load_program(p.blob).mlir_module() for p in programs if p is not None]
    except ProgramError:
        return _error("unrolled", messages.UNROLLED.format(few="", many="", sizes="too many"))
    few, many = (_jax_internals.inspect_module(m).operations for m in modules)
    if many <= few:
        return None
    text = messages.UNROLLED.format(few=ITERATIONS[0], many=ITERATIONS[1], sizes=f"{few} to {many}")
    return _error("unrolled", text)


def judge(
    source: str, exercise_name: str, key: int, observation: Observation
) -> dict[str, list[Finding]]:
    """Everything that programs can prove, as findings by criterion."""
    rubric = load_rubric(source)
    exercise = rubric.exercise(exercise_name)
    expected = reference_results(source, rubric.digest, exercise.name, key)
    public_calls = len(exercise.calls(PUBLIC_KEY))
    judged = observation.programs[: len(expected)]
    public = observation.programs[len(expected) : len(expected) + public_calls]
    after = len(expected) + public_calls
    unrolling = observation.programs[after : after + len(exercise.unrolling_calls())]
    results = Results()
    # An adapter, or the gradient, has operations of its own around the student's.
    plain = exercise.adapter is None and exercise.gradient is None
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
    if exercise.speed is not None and not any(found["outputs"]):
        program = observation.programs[-1]
        found["speed"] = [program and cpu_speed(exercise, program, key)]
    return {name: [f for f in some if f is not None] for name, some in found.items()}
