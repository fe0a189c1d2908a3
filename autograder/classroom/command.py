"""`autograder grade`: grades a class, shows it, and writes its table to the course's folder."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.assignment import ClassError, course_folder
from autograder.classroom.course_grader import FOLDER, SPEED_FOLDER, CourseGrader
from autograder.classroom.gradebook import GradebookError
from autograder.classroom.grading_class import grade_class
from autograder.classroom.jobs import close_judges
from autograder.classroom.outcome import Outcome, marking_tasks
from autograder.classroom.progress import Display
from autograder.classroom.staging import strange_folders
from autograder.classroom.table import rich_table, write_csv
from autograder.core.printable import one_line
from autograder.lessons.course import the_course
from autograder.render.terminal import plain
from autograder.sandbox import Limits, Protection, protection, shared_zygotes
from autograder.sandbox.confinement import MEANING

NEEDS_REVIEW = 3
"""Exit status: all that could be graded is graded, and a person should review the rest."""


@contextlib.contextmanager
def open_executor(jobs: int | None, scheduler: str | None) -> Iterator[Executor]:
    """Open threads that run local workers, or a dask.distributed cluster.

    Raises:
        ClassError: no such cluster.
    """
    if scheduler is None:
        jobs = jobs or len(os.sched_getaffinity(0))
        with ThreadPoolExecutor(jobs, "grading") as threads:
            yield threads
        return
    try:
        from distributed import Client  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        raise ClassError(messages.NO_DISTRIBUTED) from None
    try:
        client = Client(scheduler, timeout=10)
    except OSError as error:
        text = messages.NO_SCHEDULER.format(scheduler=scheduler, error=error)
        raise ClassError(text) from None
    with client, client.get_executor(retries=3, pure=False) as executor:
        yield executor


def _write_bundle(
    grader: CourseGrader, assignment: str, outcomes: Sequence[Outcome]
) -> tuple[Path, int]:
    """Write the programs that wait for a GPU; return their folder and their number."""
    from autograder.criteria.speed.bundle import BundleWriter, add_to_bundle

    # Each program once, in this order.
    waiting = dict.fromkeys(
        (exercise, outcome.graded.programs[exercise])
        for outcome in outcomes
        for (exercise, name), criterion in outcome.criteria.items()
        if name == "speed" and criterion.is_open
        if outcome.graded and exercise in outcome.graded.programs
    )
    folder = grader.course / FOLDER / "bundles" / assignment
    shutil.rmtree(folder, ignore_errors=True)
    if waiting:
        rubric = the_course().rubric(assignment)
        writer = BundleWriter(folder)
        for name, program in waiting:
            add_to_bundle(writer, rubric, rubric.exercise(name), program, grader.key)
        writer.close()
    return folder, len(waiting)


def run(
    course: Path,
    assignments: Sequence[str] = (),
    students: Sequence[str] = (),
    *,
    jobs: int | None = None,
    force: bool = False,
    require_sandbox: bool = False,
    scheduler: str | None = None,
    db: str | None = None,
    console: Console | None = None,
) -> int:
    """Grade some assignments, or all, show the class, and return the exit status.

    Raises:
        ClassError: nothing can be graded, or the disk is full; the message says what to do.
    """
    console = console or Console(highlight=False)
    folder = course_folder(course)
    strength = protection()
    if scheduler is None:
        console.print(plain(f"Sandbox: {MEANING[strength]}."), soft_wrap=True)
        if require_sandbox and strength is not Protection.NAMESPACES:
            raise ClassError(messages.WEAK_SANDBOX)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_explain_errors(folder))
        grader = CourseGrader(folder)
        stack.callback(grader.close)
        stack.callback(close_judges)
        executor = stack.enter_context(open_executor(jobs, scheduler))
        # Closed before the executor waits for its threads: jobs that still run are not wanted.
        stack.callback(shared_zygotes().close)
        display = Display(console)
        with display.running():
            graded = grade_class(
                grader,
                assignments,
                executor,
                display,
                students,
                limits=Limits(),
                force=force,
                require_sandbox=require_sandbox,
                db=db,
            )
        status = max(_show(console, grader, name, outcomes) for name, outcomes in graded.items())
        problems = [messages.UNREAD_SPEED.format(problem=p) for p in grader.unread_speed()]
        strangers = [] if assignments else strange_folders(folder)
        if strangers:
            folders = ", ".join(map(one_line, strangers))
            problems.append(messages.NO_SUCH_FOLDER.format(folders=folders))
        for problem in problems:
            console.print(plain(problem), soft_wrap=True)
        return NEEDS_REVIEW if problems else status


@contextlib.contextmanager
def _explain_errors(course: Path) -> Iterator[None]:
    """Turn what an instructor can fix into a `ClassError` that says how."""
    try:
        yield
    except GradebookError as error:
        raise ClassError(str(error)) from None
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            where = {"file": error.filename or course, "error": error.strerror}
            raise ClassError(messages.NOT_WRITABLE.format(**where)) from None
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        text = messages.DISK_FULL.format(course=course, error=error.strerror)
        raise ClassError(text) from None


def _show(
    console: Console, grader: CourseGrader, assignment: str, outcomes: Sequence[Outcome]
) -> int:
    console.print(rich_table(assignment, outcomes))
    target = grader.course / f"{assignment}.csv"
    write_csv(target, assignment, outcomes)
    lines = [f"Marks by criterion: {target}"]
    bundle, count = _write_bundle(grader, assignment, outcomes)
    if count:
        target = grader.course / FOLDER / SPEED_FOLDER
        programs = "1 program waits" if count == 1 else f"{count} programs wait"
        lines.append(messages.WAITING.format(programs=programs, folder=bundle, there=target))
    review = [outcome for outcome in outcomes if outcome.needs_review]
    if review:
        lines.append(f"{len(review)} of {len(outcomes)} submissions need your review:")
    lines += [f"  {one_line(o.student)}: {'; '.join(o.review)}" for o in review if o.review]
    lines += [f"  {task}: {', '.join(names)}" for task, names in marking_tasks(review).items()]
    for line in lines:
        console.print(plain(line), soft_wrap=True)
    return NEEDS_REVIEW if review else 0
