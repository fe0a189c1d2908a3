"""Runs all checks of the course, and shows them as rows of a table."""

from __future__ import annotations

import json
import logging
import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from autograder.core.report import SCHEMA
from autograder.judge.client import shared_judge
from autograder.lessons.course import Course, Lesson, LessonError
from autograder.lessons.exercises import check_exercises
from autograder.lessons.solutions import own_solution
from autograder.lessons.verification.compilation_cache import share_compilations
from autograder.lessons.verification.expected import (
    full_marks,
    hint_problems,
    loses,
    missing_submissions,
    unexplained,
)
from autograder.lessons.verification.in_process import grade_source
from autograder.lessons.verification.kernel_runs import run_lessons
from autograder.lessons.verification.submissions import Submission, find_submissions
from autograder.render.terminal import plain

SUBMISSION_SECONDS = 180.0
KERNELS = 2
"""How many kernels share the running of the lessons."""

log = logging.getLogger("autograder")


@dataclass(frozen=True)
class Row:
    """One check; `problems` is empty when it passes."""

    lesson: str
    what: str
    problems: list[str]
    seconds: float = 0.0


@contextmanager
def end_within(seconds: float, what: str) -> Iterator[None]:
    """End this process when the body takes too long: nothing else stops a compiled loop."""

    def give_up() -> None:
        os.write(2, f"{what} took longer than {seconds:g} s: does its loop end?\n".encode())
        os._exit(1)

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def verify_lesson(root: Path, name: str, only: str = "") -> list[Row]:
    """Return the rows of one lesson: its submissions, hints and solutions."""
    lesson = next(lesson for lesson in Course(root).lessons() if lesson.name == name)
    exercises = [exercise.name for exercise in lesson.rubric.exercises]
    hints = [p for exercise in lesson.rubric.exercises for p in hint_problems(exercise)]
    rows = [Row(name, "submissions", missing_submissions(lesson, root)), Row(name, "hints", hints)]
    rows = [] if only else rows  # while a lesson is being written, it has few submissions
    work = [
        Submission(f"solution of {one}", "solution", one, own_solution(lesson, one))
        for one in ([] if only else exercises)
    ]
    work += [s for s in find_submissions(root, name) if only in s.name and s.exercise in exercises]
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        for submission in work:
            began = time.monotonic()
            problems = _grade(lesson, submission, Path(scratch))
            seconds = round(time.monotonic() - began, 2)
            rows.append(Row(name, submission.name, problems, seconds))
    return rows


def _grade(lesson: Lesson, wanted: Submission, scratch: Path) -> list[str]:
    # Purity and compilations have no points where the outputs are wrong. For a solution, the run of
    # the lesson's own check cell covers them.
    outputs_only = wanted.kind == "solution" or wanted.must_fail == ("outputs",)
    exercise, source = wanted.exercise, wanted.source
    with end_within(SUBMISSION_SECONDS, f"{lesson.name}, {wanted.name}"):
        report = grade_source(
            lesson, exercise, source, scratch, shared_judge(), outputs_only=outputs_only
        )
    if not wanted.must_fail:
        return full_marks(report)
    problems = loses(report, wanted.must_fail, wanted.says)
    if wanted.kind != "empty":  # which has no line to show
        kind = lesson.rubric.exercise(exercise).kind
        problems += unexplained(report, wanted.must_fail[0], kind)
    return problems


def verify_runs(root: Path, names: Sequence[str]) -> list[Row]:
    """Run some lessons from top to bottom, one after the other in one kernel."""
    lessons = [lesson for lesson in Course(root).lessons() if lesson.name in names]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        found = run_lessons(lessons, Path(scratch))
    seconds = round((time.monotonic() - began) / len(lessons), 2)
    return [
        Row(lesson.name, "runs", problems, seconds)
        for lesson, problems in zip(lessons, found, strict=True)
    ]


def _prepare_process(turn: Any) -> None:
    """Prepare a process of the pool.

    The process ends with its parent. It keeps to one core, like its judge and kernels, which work
    only while it waits: XLA's threads would slow the other processes down.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with turn.get_lock():
            os.sched_setaffinity(0, {cores[turn.value % len(cores)]})
            turn.value += 1
    parent = multiprocessing.parent_process()
    assert parent is not None

    def end_with_parent() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def verify_course(
    root: Path, lessons: Sequence[str] = (), only: str = "", jobs: int | None = None
) -> Iterator[Row]:
    """Check the course, or some of its lessons, and yield rows as they are ready.

    The longest work starts first, and later lessons before earlier ones, so that all processes end
    at about the same time.

    Args:
        root: the checkout.
        lessons: names; all by default.
        only: grade only the submissions whose file name holds this, and run no notebook.
        jobs: processes; one a core by default.

    Raises:
        LessonError: no submission has `only` in its name, or a submission did not end.
    """
    names = [lesson.name for lesson in Course(root).lessons()]
    chosen = [name for name in names if not lessons or name in lessons]
    if only and not any(only in s.name for n in chosen for s in find_submissions(root, n)):
        raise LessonError(f"no submission of these lessons has {only!r} in its file name")
    if not only:
        yield Row("", "notebooks and syllabus", check_exercises(Course(root)))
    log.info("verifying %d lessons; the slowest work comes first", len(chosen))
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_prepare_process, initargs=(context.Value("i", 0),)
    )
    with share_compilations(root), pool:
        work = []
        if not only:
            groups = [chosen[i::KERNELS] for i in range(KERNELS)]
            work += [pool.submit(verify_runs, root, names) for names in groups if names]
        work += [pool.submit(verify_lesson, root, name, only) for name in reversed(chosen)]
        try:
            for future in as_completed(work):
                yield from future.result()
        except BrokenProcessPool:
            raise LessonError("a process of the verification ended; see the reason above") from None


def show_verification(
    root: Path, lessons: Sequence[str], only: str, jobs: int | None, json_file: Path | None
) -> int:
    """Print a line for each row of `verify_course`, and return the number of problems."""
    console = Console(highlight=False, soft_wrap=True)
    began = time.monotonic()
    rows: list[Row] = []
    for row in verify_course(root, lessons, only, jobs):
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
        numbers = {lesson.name: lesson.number for lesson in Course(root).lessons()}
        rows.sort(key=lambda row: (numbers.get(row.lesson, 0), row.what == "runs"))
        table = {"schema": SCHEMA, "rows": [asdict(row) for row in rows]}
        json_file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return count
