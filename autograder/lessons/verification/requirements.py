"""What a lesson must have: submissions, hints, and for each submission the report it must get."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.criteria.compilations.judge import COSTS_COMPILATIONS
from autograder.lessons.course import Lesson
from autograder.lessons.verification.submissions import find_submissions, submissions_file
from autograder.model.exercise import Exercise, Predictions
from autograder.model.report import CriterionResult, Report, Status

LEAST = {"right": 3, "wrong": 8}
"""Submissions of each kind that a lesson must have at least."""
LEAST_OF_YOURS = {"right": 2, "wrong": 3}
"""The same in a lesson folder of one's own."""
LEAST_OF_AN_EXERCISE = {"starter": 1, "empty": 1}
"""Of each exercise of a lesson."""
LEAST_OF_A_DRILL = {"starter": 1, "right": 1, "wrong": 2}
"""Beside the lesson's own solution."""

TIERS, TIERS_OF_A_DRILL = 3, 1
LOST = {Status.FAILED, Status.PARTIAL, Status.NOT_GRADED}


def missing_submissions(lesson: Lesson, root: Path) -> list[str]:
    """Return which submissions a lesson and its drills lack, one sentence each."""
    least = LEAST_OF_YOURS if lesson.is_own else LEAST
    names = [exercise.name for exercise in lesson.rubric.exercises]
    return [
        *_missing(root, lesson.name, names, least, LEAST_OF_AN_EXERCISE),
        *_missing(root, f"drills/{lesson.name}", lesson.drill_names, {}, LEAST_OF_A_DRILL),
    ]


def _missing(
    root: Path,
    lesson: str,
    names: Sequence[str],
    least: Mapping[str, int],
    least_of_each: Mapping[str, int],
) -> list[str]:
    submissions = find_submissions(root, lesson)
    file = submissions_file(root, lesson).relative_to(root)
    counts = Counter(one.kind for one in submissions)
    of_each = Counter((one.kind, one.exercise) for one in submissions)
    problems = [
        f"{file} has {counts[kind]} {kind} submissions, {needed} needed"
        for kind, needed in least.items()
        if counts[kind] < needed
    ]
    problems += [
        f"{file} has {of_each[kind, name]} {kind} submissions for {name}, {needed} needed"
        for name in sorted(names)
        for kind, needed in least_of_each.items()
        if of_each[kind, name] < needed
    ]
    unknown = sorted({one.exercise for one in submissions} - {*names})
    return problems + [f"{file} names the unknown exercise {name}" for name in unknown]


def hint_problems(exercise: Exercise, tiers: int = TIERS) -> list[str]:
    """Return a sentence for each criterion without its hints, and for empty or equal hints."""
    missing = [criterion for criterion in exercise.points if criterion not in exercise.hints]
    problems = [f"{exercise.name}: no hints for {criterion}" for criterion in missing]
    for about, hints in exercise.hints.items():
        if len(hints) != tiers or not all(hint.strip() for hint in hints):
            problems.append(f"{exercise.name}: {about} needs {tiers} hints, none of them empty")
        elif len(set(hints)) != tiers:
            problems.append(f"{exercise.name}: two hints for {about} are the same")
    return problems


def _messages(criterion: CriterionResult) -> str:
    return " / ".join(f.message for f in criterion.findings) or criterion.reason or "nothing"


def full_marks(report: Report) -> list[str]:
    """Return what is wrong with the report on a right submission; empty if it has all points."""
    return [
        f"{c.name} should pass, but is {c.status}: {_messages(c)}"
        for c in report.criteria
        if c.status in LOST
    ]


def loses(report: Report, must_fail: Sequence[str], says: str) -> list[str]:
    """Return what is wrong with the report on a wrong submission; empty if it is as expected.

    The criteria named must be lost, and no others. Where the outputs are wrong, the others are not
    graded. A line outside of jit, or a program too large to compile, costs outputs and
    compilations, and either may be named.
    """
    judged = [c.name for c in report.criteria]
    if unknown := [name for name in must_fail if name not in judged]:
        return [f"its header names {unknown[0]!r}; this exercise has {', '.join(judged)}"]
    problems = []
    rules = {f.rule for c in report.criteria for f in c.findings}
    lost = {c.name for c in report.criteria if c.status in LOST}
    either = "outputs" in lost and rules & COSTS_COMPILATIONS
    if either and {"outputs", "compilations"} & {*must_fail}:
        must_fail = (*must_fail, "outputs", "compilations")
    for c in report.criteria:
        if c.name in must_fail:
            if c.status not in LOST:
                problems.append(f"{c.name} should fail, but is {c.status}")
        elif c.status in LOST and not ("outputs" in must_fail and c.reason):
            problems.append(
                f"only {', '.join(must_fail)} should fail, but also {c.name}: {_messages(c)}"
            )
    shown = _messages(report.criterion(must_fail[0]))
    if says not in shown:
        problems.append(f"{must_fail[0]} should say {says!r}, but says: {shown}")
    return problems


def unexplained(report: Report, criterion: str, exercise: Exercise) -> list[str]:
    """Return what the report on a wrong submission lacks: the student's line, or a hint.

    A submission that could not be run gets no hints: its message explains the error.

    Args:
        report: on the submission.
        criterion: that fails.
        exercise: that it is on; where predictions are judged, the message names the question.
    """
    found = next((c for c in report.criteria if c.name == criterion), None)
    if found is None:  # `loses` says so
        return []
    errors = [f for f in found.findings if f.severity == "error"]
    problems = []
    if not isinstance(exercise, Predictions) and not any(f.line and f.code for f in errors):
        problems.append(f"{criterion}: no finding names a line of the student: {_messages(found)}")
    if found.status is not Status.NOT_GRADED and not found.hints:
        problems.append(f"{criterion}: no hint says how to fix it")
    return problems
