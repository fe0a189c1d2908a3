"""Judges the defence: the answers to questions about the student's own program.

The questions are made anew where the submission is graded, by its own worker, and so are the right
answers. The student's answers are read from the source of the defence cell, which is never run.
They name the program that they are about: answers about another program do not count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autograder.grading import defence_messages as messages
from autograder.grading import readings
from autograder.grading.apart import OutOfLimits, read_apart
from autograder.grading.messages import SLICE_FAILED
from autograder.grading.plan import plan_attempts
from autograder.grading.run import find_draws
from autograder.model.answers import NotLiteral, answer_from_json, literal
from autograder.model.exercise import Exercise, ProgramExercise, RubricError
from autograder.model.finding import Finding
from autograder.model.kit_fault import CannotJudge, kit_finding
from autograder.model.notebook import Defence, Notebook, defence_name
from autograder.model.observation import Observation
from autograder.model.questions import Kind, Question, Questions
from autograder.model.reasons import CHECK_FIRST, KIT_ERROR, UNREAD_ANSWERS
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.terms import Terms
from autograder.sandbox import Attempt, Processes

PROGRAM = "program"
"""The argument of `defend` that names the program."""


NOT_PLAIN, NO_ANSWERS, STALE = "not-plain", "no-answers", "stale"
OF_ALL = {NOT_PLAIN, NO_ANSWERS, STALE}
"""Rules of findings about all answers of a cell together."""


def defend(
    notebook: Notebook,
    defence: Defence,
    reports: Mapping[str, Report],
    terms: Terms,
    worker: Processes,
) -> Report:
    """Ask about the program of a graded notebook, and give points for its answers.

    Args:
        notebook: its cells, as they were graded.
        defence: its defence cell.
        reports: on its exercises, by name.
        terms, worker: see `autograder.grading.pipeline.grade_notebook`.
    """
    exercise = terms.rubric.defended
    checked = reports[exercise.name]
    undecided = {c.reason for c in checked.criteria if c.waits_for_person}
    if undecided:
        return _report(defence, Status.NOT_GRADED, terms, reason=min(undecided))
    if not checked.has_passed:
        return _report(defence, Status.FAILED, terms, reason=CHECK_FIRST)
    if not isinstance(exercise, ProgramExercise):
        return _report(defence, Status.PASSED, terms, 1.0)
    try:
        seen, ran = _ask(notebook, exercise, terms, worker)
    except (CannotJudge, RubricError):
        raise
    except Exception as error:
        return refuse_defence(defence, KIT_ERROR, kit_finding(error), terms)
    if seen.refused is not None:
        return refuse_defence(defence, *seen.refused, terms)
    if seen.questions is None or not seen.questions.asked:
        return ran.apply(_report(defence, Status.PASSED, terms, 1.0))
    try:
        given = read_apart(readings.defence, defence.source)
    except OutOfLimits as error:
        text = messages.UNREAD.format(problem=error.problem)
        finding = Finding.error(UNREAD_ANSWERS, text)
        return refuse_defence(defence, UNREAD_ANSWERS, finding, terms)
    given = given and {name: answer_from_json(answer) for name, answer in given.items()}
    findings = judge_answers(seen.questions, given, exercise)
    wrong = len(seen.questions.asked) if OF_ALL & {f.rule for f in findings} else len(findings)
    right = 1 - wrong / len(seen.questions.asked)
    status = Status.PASSED if right == 1 else Status.PARTIAL if right else Status.FAILED
    return ran.apply(_report(defence, status, terms, right, findings))


def refuse_defence(defence: Defence, reason: str, finding: Finding, terms: Terms) -> Report:
    """Return the report where nothing could be asked, with a reason instead of a mark."""
    reason = KIT_ERROR if finding.rule == KIT_ERROR else reason
    return _report(defence, Status.NOT_GRADED, terms, findings=(finding,), reason=reason)


def _report(
    defence: Defence,
    status: Status,
    terms: Terms,
    right: float = 0.0,
    findings: tuple[Finding, ...] = (),
    reason: str = "",
) -> Report:
    evidence = "observed"  # the questions come from the process that ran the student's code
    earned, lesson = round(defence.points * right, 2), terms.rubric.lesson
    result = CriterionResult("outputs", status, earned, defence.points, evidence, reason, findings)
    return Report(lesson, defence_name(lesson), (result,), terms.is_public)


def _ask(
    notebook: Notebook, exercise: Exercise, terms: Terms, worker: Processes
) -> tuple[Observation, Attempt]:
    """Let a worker make the questions, from as much of the notebook as that takes.

    They are about the public draws, as in a notebook.
    """
    public = replace(terms.only(exercise.name), key=PUBLIC_KEY)
    drawn = find_draws(public, exercise.name)
    (attempt,) = plan_attempts(notebook, public.rubric)
    found = worker.ask_about(attempt, drawn)
    if found.refused is None or not attempt.fallback:
        return found, attempt
    whole = attempt.with_fallback(exercise.name, SLICE_FAILED)
    return worker.ask_about(whole, drawn), whole


# --- answers --------------------------------------------------------------------------------------


def call_to_answer(exercise: str, questions: Questions) -> str:
    """Return the call that students fill in."""
    blanks = (f"{q.kind}={0 if q.kind is Kind.PROGRAMS else chr(34) * 2}" for q in questions.asked)
    return f'defend("{exercise}", {PROGRAM}="{questions.program}", {", ".join(blanks)})'


def judge_answers(
    questions: Questions, given: Mapping[str, Any] | None, exercise: Exercise
) -> tuple[Finding, ...]:
    """Return what is wrong with answers, one finding for each question that is not right.

    One finding alone says that there are no answers, or that they are about another program.
    """
    if given is None:
        text = messages.NOT_PLAIN.format(call=call_to_answer(exercise.name, questions))
        return (Finding.error(NOT_PLAIN, text),)
    if not given:
        return (Finding.error(NO_ANSWERS, messages.NO_ANSWERS),)
    program = literal(given.get(PROGRAM))
    if program != questions.program:
        named = program if isinstance(program, str) and program else "?"
        text = messages.STALE.format(given=named[:20], program=questions.program)
        return (Finding.error(STALE, text),)
    found = (_judge_answer(question, given.get(question.kind)) for question in questions.asked)
    return tuple(finding for finding in found if finding is not None)


def _judge_answer(question: Question, given: Any) -> Finding | None:
    answer = _plain_answer(question, given)
    if answer is None:
        return Finding.error("no-answer", messages.MISSING.format(kind=question.kind))
    if answer == question.answer:
        return None
    return Finding.error(f"wrong-{question.kind}", messages.WRONG[question.kind])


def _plain_answer(question: Question, given: Any) -> set[str] | int | None:
    """Return an answer as a number or a set of letters; None where there is none."""
    given = literal(sorted(map(str, given)) if isinstance(given, set) else given)
    if isinstance(given, NotLiteral) or given is None:
        return None
    if question.kind is Kind.PROGRAMS:
        numbers = re.findall(r"\d{1,6}", str(given))
        return int(numbers[0]) if numbers and numbers[0] != "0" else None
    text = " ".join(map(str, given)) if isinstance(given, list) else str(given)
    letters = "".join(word for word in re.findall(r"[a-z]+", text.lower()) if word != "and")
    return set(letters) or None
