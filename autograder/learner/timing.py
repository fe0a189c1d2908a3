"""`speed`: measures how fast a learner's programs are on this machine."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from autograder.criteria.speed.decision import speed_of, without_timing
from autograder.criteria.speed.here import time_here
from autograder.criteria.speed.speed_process import may_find_gpu
from autograder.learner import sentences
from autograder.learner.checking import check_notebook, is_untouched, up_to_date
from autograder.learner.folder import LearningError, LessonNotebook
from autograder.learner.notebook_record import Record, one_at_a_time, write_record
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric import Rubric

log = logging.getLogger("autograder")


def choose_timed(
    course: Sequence[LessonNotebook], lesson: LessonNotebook | None
) -> list[LessonNotebook]:
    """Return the lessons to time: `lesson`, or all with points for speed that were begun."""
    timed = [n for n in course if any("speed" in e.points for e in n.rubric().exercises)]
    names = ", ".join(n.lesson for n in timed) or sentences.NONE_HERE
    if lesson is not None:
        if lesson not in timed:
            text = sentences.NO_SPEED_POINTS.format(lesson=lesson.lesson, lessons=names)
            raise LearningError(text)
        return [lesson]
    begun = [n for n in timed if not is_untouched(n.path, n.rubric())]
    if not begun:
        raise LearningError(sentences.NOTHING_TO_TIME.format(lessons=names))
    return begun


def time_notebook(path: Path, rubric: Rubric, *, again: bool = False) -> Record:
    """Check a notebook if it has changed, time its programs, and record the result.

    Args:
        path: the learner's notebook.
        rubric: of its lesson.
        again: time also what was timed before.
    """
    checked = check_notebook(path, rubric)
    with one_at_a_time(path):
        record = up_to_date(path, rubric) or checked
        reports = tuple(_time_report(report, rubric, record, again) for report in record.reports)
        if reports != record.reports:
            record = replace(record, reports=reports).dated()
            write_record(path, record)
    return record


def _time_report(report: Report, rubric: Rubric, record: Record, again: bool) -> Report:
    speed, program = speed_of(report), record.programs.get(report.exercise)
    if speed is None or program is None or (_is_settled(speed) and not again):
        return report
    log.info("timing %s in a process of its own", report.exercise)
    fresh = without_timing(report)
    return time_here(fresh, rubric, rubric.exercise(report.exercise), program)


def _is_settled(speed: CriterionResult) -> bool:
    # Timed on a CPU, it stays pending: only a GPU can say more.
    timed_on_cpu = speed.status is Status.PENDING and bool(speed.findings)
    return not speed.is_open or (timed_on_cpu and not may_find_gpu())
