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
from autograder.grading.plan import Run, plan_runs, run_all
from autograder.grading.run import observe_run, settle
from autograder.judge.client import AnyJudge
from autograder.model.answers import NotLiteral, answer_from_json, literal
from autograder.model.finding import Finding
from autograder.model.kit_fault import CannotJudge, kit_finding
from autograder.model.notebook import Defence, Notebook, defence_name
from autograder.model.observation import Observation
from autograder.model.questions import Kind, Question, Questions
from autograder.model.report import KIT_ERROR, UNREAD_ANSWERS, CriterionResult, Report, Status
from autograder.model.rubric import PUBLIC_KEY, Exercise, Rubric, RubricError
from autograder.sandbox import Limits, PlainWorkers, Zygotes

CHECK_FIRST = "check-first"
"""Reason where the exercise's own check does not pass, so that nothing is asked."""

PROGRAM = "program"
"""The argument of `defend` that names the program."""


NOT_PLAIN, NO_ANSWERS, STALE = "not-plain", "no-answers", "stale"
OF_ALL = {NOT_PLAIN, NO_ANSWERS, STALE}
"""Rules of findings about all answers of a cell together."""


def has_passed(report: Report) -> bool:
    """Return whether a check passed, so that its program can be asked about; speed may wait."""
    return report.status in (Status.PASSED, Status.PENDING, Status.INCONCLUSIVE)


def defend_notebook(
    notebook: Notebook,
    defence: Defence,
    rubric: Rubric,
    reports: Mapping[str, Report],
    judge: AnyJudge,
    key: int = PUBLIC_KEY,
    limits: Limits | None = None,
    workers: Zygotes | PlainWorkers | None = None,
) -> Report:
    """Ask about the program of a graded notebook, and give points for its answers.

    Args:
        notebook: its cells, as they were graded.
        defence: its defence cell.
        rubric: of its lesson.
        reports: on its exercises, by name.
        judge, key, limits, workers: as in `autograder.grading.pipeline.grade_cells`.
    """
    exercise = rubric.defended
    checked = reports[exercise.name]
    undecided = {c.reason for c in checked.criteria if c.waits_for_person}
    if undecided:
        return _report(rubric, defence, Status.NOT_GRADED, reason=min(undecided), key=key)
    if not has_passed(checked):
        return _report(rubric, defence, Status.FAILED, reason=CHECK_FIRST, key=key)
    if exercise.kind != "program":
        return _report(rubric, defence, Status.PASSED, 1.0, key=key)
    try:
        settled = settle(rubric, PUBLIC_KEY, judge)
        seen, ran = _observe(notebook, settled, exercise, limits, workers)
    except (CannotJudge, RubricError):
        raise
    except Exception as error:
        return refuse_defence(rubric, defence, KIT_ERROR, kit_finding(error), key)
    if seen.refused is not None:
        return refuse_defence(rubric, defence, *seen.refused, key)
    if seen.questions is None or not seen.questions.asked:
        return ran.apply(_report(rubric, defence, Status.PASSED, 1.0, key=key))
    try:
        given = read_apart(readings.defence, defence.source)
    except OutOfLimits as error:
        text = messages.UNREAD.format(problem=error.problem)
        finding = Finding.error(UNREAD_ANSWERS, text)
        return refuse_defence(rubric, defence, UNREAD_ANSWERS, finding, key)
    given = given and {name: answer_from_json(answer) for name, answer in given.items()}
    findings = judge_answers(seen.questions, given, exercise)
    wrong = len(seen.questions.asked) if OF_ALL & {f.rule for f in findings} else len(findings)
    right = 1 - wrong / len(seen.questions.asked)
    status = Status.PASSED if right == 1 else Status.PARTIAL if right else Status.FAILED
    return ran.apply(_report(rubric, defence, status, right, findings, key=key))


def refuse_defence(
    rubric: Rubric, defence: Defence, reason: str, finding: Finding, key: int = PUBLIC_KEY
) -> Report:
    """Return the report where nothing could be asked, with a reason instead of a mark."""
    reason = KIT_ERROR if finding.rule == KIT_ERROR else reason
    return _report(rubric, defence, Status.NOT_GRADED, findings=(finding,), reason=reason, key=key)


def _report(
    rubric: Rubric,
    defence: Defence,
    status: Status,
    right: float = 0.0,
    findings: tuple[Finding, ...] = (),
    *,
    reason: str = "",
    key: int,
) -> Report:
    evidence = "observed"  # the questions come from the process that ran the student's code
    earned = round(defence.points * right, 2)
    result = CriterionResult("outputs", status, earned, defence.points, evidence, reason, findings)
    return Report(rubric.lesson, defence_name(rubric.lesson), (result,), key == PUBLIC_KEY)


def _observe(
    notebook: Notebook,
    rubric: Rubric,
    exercise: Exercise,
    limits: Limits | None,
    workers: Zygotes | PlainWorkers | None,
) -> tuple[Observation, Run]:
    """Let a worker make the questions, from as much of the notebook as that takes."""
    asked = replace(rubric.exercise(exercise.name), asked=True)
    alone = replace(rubric, exercises=(asked,))
    (planned,) = plan_runs(notebook.cells, alone)

    def observe(planned: Run) -> tuple[Observation, Run]:
        seen = observe_run(planned, alone, {asked.name: ()}, notebook, limits, workers, echo=False)
        return seen[asked.name], planned

    found = observe(planned)
    if found[0].refused is None or not planned.leaves_out:
        return found
    return observe(run_all(notebook.cells, asked.name, planned))


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
