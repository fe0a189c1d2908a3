"""The criterion of outputs: what programs compute, or the function returned, is right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from autograder.criteria.outputs import messages
from autograder.criteria.outputs.compare import compare_paths, compare_results
from autograder.criteria.outputs.references import Results, reference_results, right_answers
from autograder.criteria.shape import Case, found_or_fault, measure_growth
from autograder.model.answers import NotLiteral
from autograder.model.call_text import call_text
from autograder.model.exercise import FunctionExercise, Predictions, ProgramExercise
from autograder.model.expected import Expected
from autograder.model.finding import Finding
from autograder.model.observation import Returned
from autograder.model.program import Program, ProgramError
from autograder.programs.runner import Runner


def judge(case: Case) -> list[Finding]:
    """Find what is wrong with the answers, the returned values, or what the programs compute."""
    exercise = case.exercise
    if isinstance(exercise, Predictions):
        return _judge_answers(exercise, right_answers(case.drawn), case.observation.answers)
    if isinstance(exercise, ProgramExercise):
        expected = reference_results(case.drawn, case.drawn.judged)
        results = _run_programs(case.runner, expected, case.programs)
        return found_or_fault(_find_wrong, exercise, expected, results) or _judge_loop(case)
    if case.observation.observed.get("outputs") or case.decided.get("outputs"):
        return []  # what was observed, such as a call that failed, says more
    expected, watched = reference_results(case.drawn, case.drawn.watched), case.observation.watched
    nothing = Finding.error("no-value", messages.NO_VALUE)
    if len(watched) != len(expected):
        return [nothing]
    wrong = _find_wrong(exercise, expected, (returned or nothing for returned in watched))
    return [wrong] if wrong else []


def _judge_loop(case: Case) -> list[Finding]:
    """Judge the two programs that show a loop, and all after them that the rubric drew.

    Where these have ever more loops, only the two. A program that computes something else, at just
    these numbers of iterations, could be small.
    """
    growth = measure_growth(case.unrolling, case.iterations, case.runner)
    if growth is None or growth.at is None:
        return []  # it is unrolled, which is a matter of compilations
    # With more loops each, the longest take long.
    are_all = case.exercise.loop.draws and not growth.has_more_loops
    shown = slice(growth.at, None if are_all else growth.at + 2)
    expected = reference_results(case.drawn, case.drawn.judged, "loops")[shown]
    results = _run_programs(case.runner, expected, case.unrolling[shown])
    return found_or_fault(_find_wrong, case.exercise, expected, results)


def _judge_answers(
    exercise: Predictions, right: Mapping[str, Any], answers: Mapping[str, Any]
) -> list[Finding]:
    """Make one finding for each prediction of a student's that is wrong or missing."""
    name, questions = exercise.entry_points[0], exercise.questions
    findings, stray = [], [key for key in answers if key not in questions]
    for question in questions:
        got = answers.get(question)
        if got is None:
            near = difflib.get_close_matches(question, stray, n=1, cutoff=0.7) or stray[:1]
            text = messages.STRAY_KEY if near else messages.NO_ANSWER
            text = text.format(name=name, question=question, stray=near[0] if near else "")
            findings.append(Finding.error("no-answer", text))
        elif isinstance(got, NotLiteral):
            text = messages.NOT_LITERAL.format(name=name, question=question, kind=got.kind)
            findings.append(Finding.error("not-a-literal", text))
        elif not _is_same_answer(got, right[question]):
            think = questions[question]
            text = messages.WRONG_ANSWER.format(name=name, question=question, got=got, think=think)
            findings.append(Finding.error("wrong-answer", text))
    return findings


def _is_same_answer(got: Any, right: Any) -> bool:
    """Whether two literals are the same answer: 2 is as good as 2.0, but 1 is not True."""
    numbers = type(got) in (int, float) and type(right) in (int, float)
    return (numbers or type(got) is type(right)) and got == right


def _run_programs(
    runner: Runner, expected: Results, programs: Sequence[Program | None]
) -> Iterator[Returned | Finding]:
    """Yield what each program returns, or why it returns nothing."""
    for (args, _), program in zip(expected, programs, strict=True):
        try:
            assert program is not None  # a call without one is not judged
            yield Returned(program.names, tuple(runner.run(program.blob, args)))
        except ProgramError as error:
            yield error.finding()


def _find_wrong(
    exercise: FunctionExercise, expected: Results, results: Iterable[Returned | Finding]
) -> Finding | None:
    """Find the first thing that is wrong with what programs, or the function itself, returned."""
    for (args, right), returned in zip(expected, results, strict=True):
        is_known = isinstance(returned, Finding)
        found = returned if is_known else _compare(exercise, returned, right, args)
        if found is not None:
            return found
    return None


def _compare(
    exercise: FunctionExercise, returned: Returned, right: Expected | None, args: tuple
) -> Finding | None:
    name, paths, got = exercise.entry_points[0], returned.names, [*returned.leaves]
    if right is not None:
        return compare_results(paths, got, right, args, name)
    comparison = exercise.comparison
    assert comparison is not None
    call, wrong = call_text(name, args), comparison.find_fault(args, got)
    if wrong:
        return Finding.error("wrong-output", messages.IN_CALL.format(call=call, wrong=wrong))
    wanted = comparison.paths
    return None if wanted is None else compare_paths(paths, wanted, len(got), call)
