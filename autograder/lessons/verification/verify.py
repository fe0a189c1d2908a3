"""Runs all checks of the course, and shows them as rows of a table."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from rich.console import Console

from autograder.judge.client import shared_judge
from autograder.lessons.course import Course, Lesson, LessonError
from autograder.lessons.exercises import check_exercises
from autograder.lessons.verification.checkers import Check, Checker, Row
from autograder.lessons.verification.compilation_cache import share_compilations
from autograder.lessons.verification.in_process import grade_source
from autograder.lessons.verification.kernel_runs import run_lessons
from autograder.lessons.verification.requirements import (
    TIERS_OF_A_DRILL,
    full_marks,
    hint_problems,
    loses,
    missing_of_drills,
    missing_submissions,
    unexplained,
)
from autograder.lessons.verification.submissions import Submission, find_all_submissions
from autograder.model.report import SCHEMA
from autograder.render.terminal import plain
from autograder.sandbox import shared_zygotes

SHARED = 2
"""How many lessons, the last to be verified, are shared among all processes."""
KERNELS = 2
"""How many kernels share the running of the lessons."""

log = logging.getLogger("autograder")


def lesson_checks(
    course: Course, name: str, only: str = "", share: slice = slice(None)
) -> list[Check]:
    """Return the checks of one lesson, or a share of them: its submissions and hints.

    Its solutions are checked where its notebook runs, by the notebook's own check cells.
    """
    lesson = next(lesson for lesson in course.lessons() if lesson.name == name)
    exercises = [*(exercise.name for exercise in lesson.rubric.exercises), *lesson.drill_names]
    checks: list[Check] = []
    if not only:  # while a lesson is being written, it has few submissions
        checks = [Check(name, "submissions and hints", partial(_check_texts, course, lesson))]
    given = find_all_submissions(course.root, name)
    work = [s for s in given if only in s.name and s.exercise in exercises]
    checks += [Check(name, one.name, partial(_check_submission, lesson, one)) for one in work]
    return checks[share]


def _check_texts(course: Course, lesson: Lesson) -> list[Row]:
    hints = [p for exercise in lesson.rubric.exercises for p in hint_problems(exercise)]
    if lesson.drills:
        hints += [p for d in lesson.drills.exercises for p in hint_problems(d, TIERS_OF_A_DRILL)]
    missing = missing_submissions(lesson, course.root) + missing_of_drills(lesson, course.root)
    return [Row(lesson.name, "submissions", missing), Row(lesson.name, "hints", hints)]


def _check_submission(lesson: Lesson, submission: Submission) -> list[Row]:
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        problems = _grade(lesson, submission, Path(scratch))
    seconds = round(time.monotonic() - began, 2)
    return [Row(lesson.name, submission.name, problems, seconds)]


def _grade(lesson: Lesson, wanted: Submission, scratch: Path) -> list[str]:
    # Purity and compilations have no points where the outputs are wrong.
    outputs_only = wanted.must_fail == ("outputs",)
    exercise, source = wanted.exercise, wanted.source
    report = grade_source(
        lesson,
        exercise,
        source,
        scratch,
        shared_judge(),
        outputs_only=outputs_only,
        # A zygote has imported JAX already, and forks.
        workers=shared_zygotes() if sys.platform == "linux" else None,
    )
    if not wanted.must_fail:
        return full_marks(report)
    problems = loses(report, wanted.must_fail, wanted.says)
    if wanted.kind != "empty":  # which has no line to show
        judged = lesson.rubric_of(exercise).exercise(exercise)
        problems += unexplained(report, wanted.must_fail[0], judged)
    return problems


def run_checks(course: Course, names: Sequence[str], timed: str) -> list[Check]:
    """Return the check that runs some lessons, one after the other in one kernel."""
    return [Check(", ".join(names), "runs", partial(_run, course, names, timed), seconds=None)]


def _run(course: Course, names: Sequence[str], timed: str) -> list[Row]:
    lessons = [lesson for lesson in course.lessons() if lesson.name in names]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        found = run_lessons(lessons, Path(scratch), timed)
    seconds = round((time.monotonic() - began) / len(lessons), 2)
    return [
        Row(lesson.name, "runs", problems, seconds)
        for lesson, problems in zip(lessons, found, strict=True)
    ]


def _first_timed(course: Course, names: Sequence[str]) -> str:
    timed = (
        x.name for x in course.lessons() if any("speed" in e.points for e in x.rubric.exercises)
    )
    return next((name for name in timed if name in names), "")


def verify_course(
    course: Course, lessons: Sequence[str] = (), only: str = "", jobs: int | None = None
) -> Iterator[Row]:
    """Check the course, or some of its lessons, and yield rows as they are ready.

    The longest work starts first, and later lessons before earlier ones. The last lessons are
    shared among all processes, so that they end at about the same time.

    Args:
        course: the lesson folder.
        lessons: names; all by default.
        only: grade only the submissions whose name holds this, and run no notebook.
        jobs: processes; one a core by default.

    Raises:
        LessonError: no such lesson, or no submission has `only` in its name.
    """
    names = [lesson.name for lesson in course.lessons()]
    chosen = [name for name in names if not lessons or name in lessons]
    if unknown := sorted(set(lessons) - set(names)):
        raise LessonError(f"there is no lesson {unknown[0]!r}; the lessons are: {names}")
    if only and not any(
        only in s.name for n in chosen for s in find_all_submissions(course.root, n)
    ):
        raise LessonError(f"no submission of these lessons has {only!r} in its name")
    if not only:
        yield Row("", "notebooks and syllabus", check_exercises(course))
    log.info("verifying %d lessons; the slowest work comes first", len(chosen))
    count = jobs or os.cpu_count() or 1
    turn = multiprocessing.get_context("spawn").Value("i", 0)
    checkers = [Checker(turn) for _ in range(count)]
    free = SimpleQueue[Checker]()
    for checker in checkers:
        free.put(checker)

    def check(*what: Any) -> list[Row]:
        checker = free.get()
        try:
            return list(checker.rows(*what))
        finally:
            free.put(checker)

    with share_compilations(course.root), ThreadPoolExecutor(count) as pool:
        work: list[tuple[Any, ...]] = []
        if not only:
            groups = [chosen[i::KERNELS] for i in range(KERNELS)]
            timed = _first_timed(course, chosen)
            work += [(run_checks, course, names, timed) for names in groups if names]
        for name in reversed(chosen):
            shares = count if name in chosen[:SHARED] and not only else 1
            work += [
                (lesson_checks, course, name, only, slice(i, None, shares)) for i in range(shares)
            ]
        futures = [pool.submit(check, *one) for one in work]
        try:
            for future in as_completed(futures):
                yield from future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for checker in checkers:
                checker.end()


def show_verification(
    course: Course, lessons: Sequence[str], only: str, jobs: int | None, json_file: Path | None
) -> int:
    """Print a line for each row of `verify_course`, and return the number of problems."""
    console = Console(highlight=False, soft_wrap=True)
    began = time.monotonic()
    rows: list[Row] = []
    for row in verify_course(course, lessons, only, jobs):
        rows.append(row)
        mark = plain("✗", "red") if row.problems else plain("✓", "green")
        console.print(mark, plain(f"{row.lesson:<18} {row.what}"))
        for problem in row.problems:
            console.print(plain(f"    {problem}"))
    count = sum(len(row.problems) for row in rows)
    good = sum(not row.problems for row in rows)
    seconds = time.monotonic() - began
    console.print(f"{good} of {len(rows)} rows are right; {count} problems; {seconds:.0f} s")
    if json_file is not None:
        numbers = {lesson.name: lesson.number for lesson in course.lessons()}
        rows.sort(key=lambda row: (numbers.get(row.lesson, 0), row.what == "runs", row.what))
        table = {"schema": SCHEMA, "rows": [asdict(row) for row in rows]}
        json_file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return count
