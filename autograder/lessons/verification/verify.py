"""Everything that must hold of the course, as rows of a table."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from autograder.judge.client import shared_judge
from autograder.lessons.authoring import check_exercises
from autograder.lessons.course import SUBMISSIONS, Course, Lesson
from autograder.lessons.solutions import own_solution
from autograder.lessons.verification.expected import full_marks, loses, unexplained
from autograder.lessons.verification.graded import grade_source
from autograder.lessons.verification.hints import hint_problems
from autograder.lessons.verification.kept import kept_compilations
from autograder.lessons.verification.running import run_lessons
from autograder.lessons.verification.submissions import find_submissions

RIGHT, WRONG = 3, 8
"""Submissions that a lesson must have at least."""

SECONDS = 180.0
"""How long the grading of one submission may take."""

KERNELS = 2
"""How many kernels share the running of the lessons."""


@dataclass(frozen=True)
class Row:
    """What was looked at, and what is wrong with it; `problems` is empty when all is well."""

    lesson: str
    what: str
    problems: tuple[str, ...]
    seconds: float = 0.0


def coverage(lesson: Lesson, root: Path) -> list[str]:
    """Which submissions a lesson lacks, one sentence each."""
    submissions = find_submissions(root, lesson.name)
    folder = SUBMISSIONS / lesson.name
    problems = []
    for kind, least in (("right", RIGHT), ("wrong", WRONG)):
        count = sum(s.kind == kind for s in submissions)
        if count < least:
            problems.append(f"{folder} has {count} {kind} submissions, {least} needed")
    names = {e.name for e in lesson.rubric.exercises}
    for kind in ("starter", "empty"):
        missing = names - {s.exercise for s in submissions if s.kind == kind}
        problems += [f"{folder} has no {kind} for {name}" for name in sorted(missing)]
    strangers = {s.exercise for s in submissions} - names
    problems += [f"{folder} names the unknown exercise {s}" for s in sorted(strangers)]
    return problems


class _Work(NamedTuple):
    """One thing to grade, and what must come of it; full marks when nothing must fail."""

    what: str
    exercise: str
    source: str | None  # the lesson's own starter when None
    must_fail: tuple[str, ...] = ()
    says: str = ""
    empty: bool = False  # there is no line to show
    solution: bool = False

    @property
    def outputs_only(self) -> bool:
        """Whether purity and compilations need not be observed.

        They count for nothing where the outputs are wrong; of a solution, the check cell of its
        lesson tells them.
        """
        return self.solution or self.must_fail == ("outputs",)


def _works(lesson: Lesson, root: Path, only: str) -> Iterator[_Work]:
    """The lesson's solutions, unless `only` names submissions, and its submissions."""
    for exercise in () if only else lesson.rubric.exercises:
        source = own_solution(lesson, exercise.name)
        yield _Work(f"solution of {exercise.name}", exercise.name, source, solution=True)
    names = {exercise.name for exercise in lesson.rubric.exercises}
    for s in find_submissions(root, lesson.name):
        if only in s.path.name and s.exercise in names:  # of others, `coverage` tells
            source = None if s.kind == "starter" else s.source
            yield _Work(s.path.name, s.exercise, source, s.must_fail, s.says, s.kind == "empty")


@contextmanager
def ending_within(seconds: float, what: str) -> Iterator[None]:
    """End this process where something takes far too long: nothing else stops a compiled loop."""

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
    """Rows of one lesson: coverage, hints, solutions and submissions.

    Args:
        root: the checkout.
        name: of the lesson.
        only: grade only the submissions whose file name holds this.
    """
    lesson = next(lesson for lesson in Course(root).lessons() if lesson.name == name)
    hints = [p for exercise in lesson.rubric.exercises for p in hint_problems(exercise)]
    rows = [
        Row(name, "submissions", tuple(coverage(lesson, root))),
        Row(name, "hints", tuple(hints)),
    ]
    judge = shared_judge()
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        for work in _works(lesson, root, only):
            began = time.monotonic()
            with ending_within(SECONDS, f"{name}, {work.what}"):
                report = grade_source(
                    lesson,
                    work.exercise,
                    work.source,
                    Path(scratch),
                    judge,
                    outputs_only=work.outputs_only,
                )
            fails = work.must_fail
            problems = loses(report, fails, work.says) if fails else full_marks(report)
            if fails and not work.empty:
                kind = lesson.rubric.exercise(work.exercise).kind
                problems += unexplained(report, fails[0], kind)
            rows.append(Row(name, work.what, tuple(problems), time.monotonic() - began))
    return rows


def verify_runs(root: Path, names: Sequence[str]) -> list[Row]:
    """The rows on running some lessons from top to bottom, one after the other in one kernel."""
    lessons = [lesson for lesson in Course(root).lessons() if lesson.name in names]
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="autograder-") as scratch:
        found = run_lessons(lessons, Path(scratch))
    seconds = (time.monotonic() - began) / len(lessons)
    return [
        Row(lesson.name, "runs", tuple(problems), seconds)
        for lesson, problems in zip(lessons, found, strict=True)
    ]


def _begin(turn: Any) -> None:
    """What each process of the pool does first.

    It ends with its parent: a killed verification leaves nobody working for it. And it keeps, with
    its judge and kernels, which only work while it waits, to one core: XLA's threads would get in
    the way of the other processes'.
    """
    if hasattr(os, "sched_setaffinity"):
        cores = sorted(os.sched_getaffinity(0))
        with turn.get_lock():
            os.sched_setaffinity(0, {cores[turn.value % len(cores)]})
            turn.value += 1
    parent = multiprocessing.parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def verify(
    root: Path, lessons: Sequence[str] = (), only: str = "", jobs: int | None = None
) -> Iterator[Row]:
    """Check the course, or some of its lessons; rows come as they are ready.

    What takes longest comes first, later lessons before earlier ones, so that all processes end at
    about the same time.

    Args:
        root: the checkout.
        lessons: names; all by default.
        only: grade only the submissions whose file name holds this, and run no notebook.
        jobs: processes; one a core by default.

    Raises:
        ValueError: `only` names nothing, or a submission did not end.
    """
    names = [lesson.name for lesson in Course(root).lessons()]
    chosen = [name for name in names if not lessons or name in lessons]
    if only and not any(only in s.path.name for n in chosen for s in find_submissions(root, n)):
        raise ValueError(f"no submission of these lessons has {only!r} in its file name")
    if not only:
        yield Row("", "notebooks and syllabus", tuple(check_exercises(root)))
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_begin, initargs=(context.Value("i", 0),)
    )
    with kept_compilations(root), pool:
        work = []
        if not only:
            groups = [chosen[i::KERNELS] for i in range(KERNELS)]
            work += [pool.submit(verify_runs, root, names) for names in groups if names]
        work += [pool.submit(verify_lesson, root, name, only) for name in reversed(chosen)]
        try:
            for future in as_completed(work):
                yield from future.result()
        except BrokenProcessPool:
            raise ValueError("a process of the verification ended; it says why above") from None
