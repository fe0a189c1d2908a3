"""`autograder grade`: grades a class, shows it, and writes its table to the course's folder."""

from __future__ import annotations

import contextlib
import errno
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from autograder.classroom import messages
from autograder.classroom.assignment import open_assignments
from autograder.classroom.cluster import open_cluster
from autograder.classroom.course_config import FOLDER, ClassError, read_config
from autograder.classroom.course_grader import (
    SPEED_FOLDER,
    CourseGrader,
    accepted_protections,
    protection_here,
)
from autograder.classroom.grading_class import grade_class, open_threads
from autograder.classroom.handed_in import (
    source_names,
    strange_folders,
    strange_notebooks,
    student_folders,
)
from autograder.classroom.marks import Outcome, marking_tasks, warn_of_limits
from autograder.classroom.roster import read_roster
from autograder.classroom.table import Display, csv_rows, rich_table, write_csv
from autograder.grading.apart import shared_reader
from autograder.model.printable import one_line
from autograder.processes.child_process import count_cores
from autograder.render.progress import progress
from autograder.render.terminal import plain
from autograder.sandbox import protection, shared_zygotes
from autograder.sandbox.confinement import MEANING

NEEDS_REVIEW = 3
"""Exit status: all that could be graded is graded, and a person should review the rest."""


def run(
    course: Path,
    assignments: Sequence[str] = (),
    students: Sequence[str] = (),
    *,
    jobs: int | None = None,
    force: bool = False,
    limits_only: bool = False,
    require_sandbox: bool = False,
    strict: bool = False,
    scheduler: str | None = None,
    db: str | None = None,
    roster: Path | None = None,
    console: Console | None = None,
) -> int:
    """Grade some assignments, or all, show the class, and return the exit status.

    `limits_only` and `require_sandbox` say what confines submissions well enough
    (`accepted_protections`). Where neither is given, the course's config may accept limits.

    Raises:
        ClassError: nothing can be graded, or the disk is full; the message says what to do.
    """
    console = console or Console(highlight=False)
    config = read_config(course, db)
    folder = config.course
    people = roster and read_roster(roster, source_names(folder))
    if not require_sandbox:
        limits_only = limits_only or config.limits_only
    accepted = accepted_protections(limits_only=limits_only, require_sandbox=require_sandbox)
    if scheduler is None:
        _say(console, f"Sandbox: {MEANING[protection()]}.")
        accepted = (protection_here(accepted),)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_explain_errors(folder))
        shared_reader().launch()
        grader = CourseGrader(config, strict=strict, accepted=accepted)
        if scheduler is not None:
            start = stack.enter_context(open_cluster(scheduler, partial(_say, console)))
        else:  # one more than cores: while a job waits for its judge, another computes
            start = stack.enter_context(open_threads(jobs or count_cores() + 1))
        # Before the threads are waited for: this ends the jobs that still run.
        stack.callback(shared_zygotes().close)
        handed_in = student_folders(folder)
        opened = open_assignments(grader, assignments, students, handed_in)
        with progress(messages.GRADING, console, lines=False) as steps:
            steps.expect(sum(len(one.students) for one in opened))
            display = Display(console, steps, several=len(opened) > 1)
            graded = grade_class(opened, start, display, force=force, roster=people)
        needs_review = [_show(console, grader, *one) for one in graded.items()]
        problems = [messages.UNREAD_SPEED.format(problem=p) for p in grader.speed[1]]
        strangers = [] if assignments else strange_folders(folder, handed_in.values())
        if strangers:
            folders = ", ".join(map(one_line, strangers))
            problems.append(messages.NO_SUCH_FOLDER.format(folders=folders))
        if stray := strange_notebooks(folder, handed_in.values(), assignments):
            files = ", ".join(map(one_line, stray))
            problems.append(messages.STRAY_NOTEBOOKS.format(files=files))
        problems += warn_of_limits(outcome for one in graded.values() for outcome in one)
        for problem in problems:
            _say(console, problem)
        return NEEDS_REVIEW if problems or any(needs_review) else 0


def _say(console: Console, text: str) -> None:
    console.print(plain(text), soft_wrap=True)


@contextlib.contextmanager
def _explain_errors(course: Path) -> Iterator[None]:
    """Turn errors of the system that an instructor can fix into a `ClassError` that says how."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            where = {"file": error.filename or course, "error": error.strerror}
            raise ClassError(messages.NOT_WRITABLE.format(**where)) from None
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            text = messages.DISK_FULL.format(course=course, error=error.strerror)
            raise ClassError(text) from None
        raise


def _show(
    console: Console, grader: CourseGrader, assignment: str, outcomes: Sequence[Outcome]
) -> bool:
    """Show an assignment, write its files, and return whether anybody should review it."""
    console.print(rich_table(assignment, outcomes))
    target = grader.course / f"{assignment}.csv"
    write_csv(target, csv_rows(assignment, outcomes))
    lines = [f"Marks by criterion: {target}"]
    bundle, count = _write_bundle(grader, assignment, outcomes)
    if count:
        programs = "1 program waits" if count == 1 else f"{count} programs wait"
        where = {"folder": bundle, "there": grader.course / SPEED_FOLDER}
        lines.append(messages.WAITING.format(programs=programs, **where))
    review = [outcome for outcome in outcomes if outcome.needs_review]
    if review:
        lines.append(f"{len(review)} of {len(outcomes)} submissions need your review:")
    lines += [f"  {one_line(o.student)}: {'; '.join(o.review)}" for o in review if o.review]
    lines += [f"  {task}: {', '.join(names)}" for task, names in marking_tasks(review).items()]
    _say(console, "\n".join(lines))
    return bool(review)


def _write_bundle(
    grader: CourseGrader, assignment: str, outcomes: Sequence[Outcome]
) -> tuple[Path, int]:
    """Write the programs that wait for a GPU; return their folder and their number."""
    from autograder.criteria.speed.bundle import BundleWriter
    from autograder.criteria.speed.standards import add_to_bundle

    rubric = grader.lessons.rubric(assignment)
    # Each program once for each key, in this order.
    waiting = dict.fromkeys(
        (exercise, outcome.graded.programs[exercise], grader.key_of(rubric, outcome.student))
        for outcome in outcomes
        for (exercise, name), criterion in outcome.criteria.items()
        if name == "speed" and criterion.is_open
        if outcome.graded and exercise in outcome.graded.programs
    )
    folder = grader.course / FOLDER / "bundles" / assignment
    shutil.rmtree(folder, ignore_errors=True)
    if waiting:
        writer = BundleWriter(folder)
        for name, program, key in waiting:
            add_to_bundle(writer, rubric, rubric.exercise(name), program, key)
        writer.close()
    return folder, len(waiting)
