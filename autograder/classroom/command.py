"""`autograder grade`: the class graded, shown, and written to the course's folder."""

from __future__ import annotations

import contextlib
import errno
import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.assignment import ClassError, course_folder
from autograder.classroom.course_grader import FOLDER, SPEED_FOLDER, CourseGrader
from autograder.classroom.gradebook import GradebookError
from autograder.classroom.grading_class import default_jobs, grade_class
from autograder.classroom.jobs import close_judges
from autograder.classroom.outcome import Outcome, to_mark
from autograder.classroom.progress import Display
from autograder.classroom.staging import strange_folders
from autograder.classroom.table import rich_table, write_csv
from autograder.core.printable import one_line
from autograder.lessons.course import the_course
from autograder.render.terminal import plain
from autograder.sandbox import Limits, Protection, protection, shared_zygotes
from autograder.sandbox.confinement import MEANING

NEEDS_A_LOOK = 3
"""Exit status when everything that could be graded was, and a person should look at the rest."""


@contextlib.contextmanager
def executor_for(jobs: int | None, scheduler: str | None) -> Iterator[Executor]:
    """Threads that drive local workers, or a dask.distributed cluster."""
    if scheduler is None:
        with ThreadPoolExecutor(jobs or default_jobs(), "grading") as threads:
            yield threads
        return
    try:
        from distributed import Client  # pyright: ignore[reportMissingImports]
    except ModuleNotFoundError:
        raise ClassError("--scheduler needs dask.distributed: pip install distributed") from None
    try:
        client = Client(scheduler, timeout=10)
    except OSError as error:
        raise ClassError(f"there is no scheduler at {scheduler}: {error}") from None
    with client, client.get_executor(retries=3, pure=False) as executor:
        yield executor


def _bundle(grader: CourseGrader, assignment: str, outcomes: Sequence[Outcome]) -> tuple[Path, int]:
    """Write the programs that wait for a GPU to the course's folder."""
    from autograder.core.program import Program
    from autograder.criteria.speed.bundle import BundleWriter
    from autograder.criteria.speed.bundling import add_to_bundle

    rubric = the_course().rubric(assignment)
    folder = grader.course / FOLDER / "bundles" / assignment
    shutil.rmtree(folder, ignore_errors=True)
    writer, seen = BundleWriter(folder), set()
    for outcome in outcomes:
        for report in outcome.reports:
            program = outcome.graded.programs.get(report.exercise) if outcome.graded else None
            pending = any(c.name == "speed" and c.is_open for c in report.criteria)
            if program is None or not pending or (report.exercise, program) in seen:
                continue
            seen.add((report.exercise, program))
            exercise = rubric.exercise(report.exercise)
            add_to_bundle(writer, rubric, exercise, Program(program, ()), grader.key)
    if not seen:
        shutil.rmtree(folder, ignore_errors=True)
        return folder, 0
    return writer.close(), len(seen)


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
            raise ClassError("--require-sandbox: the strongest sandbox does not work here.")
    with contextlib.ExitStack() as stack:
        stack.enter_context(_in_a_sentence(folder))
        grader = CourseGrader(folder)
        stack.callback(grader.close)
        stack.callback(close_judges)
        executor = stack.enter_context(executor_for(jobs, scheduler))
        # Before the executor waits for its threads: what is still running then is not wanted.
        stack.callback(shared_zygotes().close)
        display = Display(console)
        with display.running():
            graded = grade_class(
                grader,
                assignments,
                executor,
                students,
                force=force,
                require_sandbox=require_sandbox,
                limits=Limits(),
                db=db,
                begin=display.begin,
                tell=display.tell,
            )
        status = max(_show(console, grader, name, outcomes) for name, outcomes in graded.items())
        strangers = [] if assignments else strange_folders(folder)
        if strangers:
            text = messages.NO_SUCH_FOLDER.format(folders=", ".join(map(one_line, strangers)))
            console.print(plain(text), soft_wrap=True)
        unread = grader.unread_speed()
        for problem in unread:
            console.print(plain(messages.UNREAD_SPEED.format(problem=problem)), soft_wrap=True)
        return NEEDS_A_LOOK if strangers or unread else status


@contextlib.contextmanager
def _in_a_sentence(course: Path) -> Iterator[None]:
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
    console.print(plain(f"Marks by criterion: {target}"), soft_wrap=True)
    folder, waiting = _bundle(grader, assignment, outcomes)
    if waiting:
        there = grader.course / FOLDER / SPEED_FOLDER
        programs = "1 program waits" if waiting == 1 else f"{waiting} programs wait"
        text = messages.WAITING.format(programs=programs, folder=folder, there=there)
        console.print(plain(text), soft_wrap=True)
    look = [outcome for outcome in outcomes if outcome.needs_person]
    if look:
        console.print(plain(f"{len(look)} of {len(outcomes)} submissions need a human eye:"))
    lines = [f"  {one_line(o.student)}: {'; '.join(o.look)}" for o in look if o.look]
    lines += [f"  {what}: {', '.join(students)}" for what, students in to_mark(look).items()]
    for line in lines:
        console.print(plain(line), soft_wrap=True)
    return NEEDS_A_LOOK if look else 0
