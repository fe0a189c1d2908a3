"""`speed`: how fast a learner's programs are, measured on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder.core.report import CriterionResult, Report, Status
from autograder.core.rubric import Rubric
from autograder.criteria.speed.here import may_find_gpu, time_here
from autograder.criteria.speed.messages import NEEDS_GPU
from autograder.criteria.speed.verdict import speed_of, untimed
from autograder.learner import sentences
from autograder.learner.checking import check_notebook, untouched, up_to_date
from autograder.learner.folder import LearningError, LessonNotebook
from autograder.learner.records import Record, one_at_a_time, write_record
from autograder.lessons.course import the_course


def is_timed(rubric: Rubric) -> bool:
    """Whether any exercise of a lesson has points for speed."""
    return any(exercise.speed is not None for exercise in rubric.exercises)


def to_time(
    course: Sequence[LessonNotebook], lesson: LessonNotebook | None
) -> list[LessonNotebook]:
    """The lessons to time: the one that is named, else all with points for speed that were begun.

    Raises:
        LearningError: there is none.
    """
    timed = [n for n in course if is_timed(the_course().rubric(n.lesson))]
    names = ", ".join(n.lesson for n in timed) or sentences.NONE_HERE
    if lesson is not None:
        if lesson not in timed:
            text = sentences.NO_SPEED_POINTS.format(lesson=lesson.lesson, lessons=names)
            raise LearningError(text)
        return [lesson]
    begun = [n for n in timed if not untouched(n.path, the_course().rubric(n.lesson))]
    if not begun:
        raise LearningError(sentences.NOTHING_TO_TIME.format(lessons=names))
    return begun


def time_notebook(path: Path, rubric: Rubric, *, again: bool = False) -> Record:
    """Check a notebook if it has changed, time its programs, and remember the result.

    Args:
        path: the learner's notebook.
        rubric: of its lesson.
        again: time also what was timed before.

    Raises:
        autograder.judge.client.JudgeError: the judge cannot work here.
        autograder.sandbox.zygote_client.WorkerError: no worker can be started here.
    """
    checked = check_notebook(path, rubric)
    with one_at_a_time(path):
        record = up_to_date(path, rubric) or checked
        reports = tuple(_timed(report, rubric, record, again) for report in record.reports)
        if reports != record.reports:
            record = replace(record, reports=reports).dated()
            write_record(path, record)
    return record


def _timed(report: Report, rubric: Rubric, record: Record, again: bool) -> Report:
    speed, program = speed_of(report), record.programs.get(report.exercise)
    if speed is None or program is None or (_is_settled(speed) and not again):
        return report
    fresh = untimed(report, NEEDS_GPU)
    return time_here(fresh, rubric, rubric.exercise(report.exercise), program)


def _is_settled(speed: CriterionResult) -> bool:
    """Whether timing again would tell nothing new: decided, or a CPU's where there is no GPU."""
    if speed.is_open:
        informed = speed.status is Status.PENDING and bool(speed.findings)
        return informed and not may_find_gpu()
    return True
