"""`autograder`: the command line. Each command is a thin front of a function elsewhere."""

from __future__ import annotations

import platform
from importlib import metadata
from pathlib import Path
from typing import Annotated

import typer

from autograder.core.printable import printable
from autograder.learner import commands as learning

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Work through the exercises of the kit; build, release and grade them.",
)
app.add_typer(learning.app)

Kit = Annotated[
    Path | None, typer.Option("--kit", help="The checkout; by default the one you are in.")
]


def _fail(message: object) -> typer.Exit:
    typer.secho(f"autograder: {printable(str(message))}", err=True, fg="red")
    return typer.Exit(1)


def _show_version(wanted: bool) -> None:
    """Print the versions that a bug report needs; importing JAX for its own would take seconds."""
    if wanted:
        kit, jax = metadata.version("plnkit"), metadata.version("jax")
        typer.echo(f"autograder {kit} (jax {jax}, Python {platform.python_version()})")
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
]


@app.callback()
def main(version: Version = False) -> None:
    """Work through the exercises of the kit; build, release and grade them."""
    import autograder.core.notebook  # noqa: F401  (before anybody else imports nbformat)


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail on drift.")] = False,
    kit: Kit = None,
) -> None:
    """Generate the student notebooks in exercises/ from the lessons in solutions/."""
    from autograder.core.rubric import RubricError
    from autograder.lessons.authoring import check_exercises, strays, write_exercises
    from autograder.lessons.course import Course, LessonError, find_course

    try:
        root = find_course(kit).root
        if check:
            problems = check_exercises(root)
        else:
            changed = write_exercises(root)
            for path in changed:
                typer.echo(f"wrote {path.relative_to(root)}")
            typer.echo(f"Files changed: {len(changed)}.")
            problems = strays(root, Course(root).lessons())
    except (LessonError, RubricError) as error:
        raise _fail(error) from None
    for problem in problems:
        typer.secho(f"autograder: {problem}", err=True, fg="red")
    if problems:
        raise typer.Exit(1)
    if check:
        typer.echo("The notebooks in exercises/ are fresh, and leak nothing.")


@app.command()
def verify(
    lessons: Annotated[list[str] | None, typer.Argument(help="Lessons; by default all.")] = None,
    only: Annotated[
        str, typer.Option(help="Grade only submissions whose file name holds this.")
    ] = "",
    jobs: Annotated[int | None, typer.Option(help="Processes; by default one a core.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the rows here.")] = None,
    kit: Kit = None,
) -> None:
    """Check the course from both sides: what must fail fails, and what is right passes."""
    from autograder.core.rubric import RubricError
    from autograder.lessons.course import LessonError, find_course
    from autograder.lessons.verification import report

    try:
        problems = report(find_course(kit).root, lessons or [], only, jobs, json_file)
    except (LessonError, RubricError, ValueError) as error:
        raise _fail(error) from None
    if problems:
        raise typer.Exit(1)


@app.command()
def course(
    directory: Annotated[Path, typer.Argument(help="The folder to make.")],
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Take up, in a course, lessons that have changed.")
    ] = False,
    kit: Kit = None,
) -> None:
    """Make an nbgrader course folder with the kit's lessons."""
    from autograder.classroom.course_folder import (
        REPLACED,
        CourseError,
        make_course,
        refresh_course,
    )
    from autograder.core.rubric import RubricError
    from autograder.lessons.course import LessonError, find_course

    try:
        if refresh:
            for name in (replaced := refresh_course(directory, find_course(kit).root)):
                typer.echo(f"Refreshed {name}. Next: nbgrader generate_assignment {name} --force")
            kept = f"what was there is in {directory / REPLACED}" if replaced else "all fresh"
            typer.echo(f"{len(replaced)} assignments changed; {kept}.")
            return
        names = make_course(directory, find_course(kit).root)
    except (CourseError, LessonError, RubricError, OSError) as error:
        raise _fail(error) from None
    typer.echo(f"Made {directory} with the assignments: {', '.join(names)}.")
    typer.echo(f"Next: cd {directory} && nbgrader generate_assignment {names[0]}")


@app.command()
def grade(
    directory: Annotated[Path, typer.Argument(metavar="COURSE", help="The course folder.")],
    assignments: Annotated[
        list[str] | None,
        typer.Argument(help="The lessons' names; by default all that was handed in."),
    ] = None,
    student: Annotated[
        list[str] | None, typer.Option(help="Only this student; give it again for more.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="At a time; by default one a core.")] = None,
    force: Annotated[bool, typer.Option("--force/--resume", help="Grade all again.")] = False,
    require_sandbox: Annotated[
        bool, typer.Option("--require-sandbox", help="Refuse to grade with weaker protection.")
    ] = False,
    scheduler: Annotated[
        str | None, typer.Option(help="Address of a dask.distributed scheduler.")
    ] = None,
    db: Annotated[str | None, typer.Option(help="URL of the gradebook.")] = None,
) -> None:
    """Grade what was handed in, in parallel; only what changed is graded again."""
    if scheduler is None:
        from autograder.sandbox import shared_zygotes

        shared_zygotes().launch()  # they start while the rest is imported
    from autograder.classroom.command import run
    from autograder.classroom.course_grader import CourseKeyError
    from autograder.classroom.grading_class import ClassError
    from autograder.core.rubric import RubricError
    from autograder.judge.client import JudgeError
    from autograder.sandbox.zygote_client import WorkerError

    try:
        status = run(
            directory,
            assignments or (),
            student or (),
            jobs=jobs,
            force=force,
            require_sandbox=require_sandbox,
            scheduler=scheduler,
            db=db,
        )
    except (ClassError, CourseKeyError, JudgeError, RubricError, WorkerError, OSError) as error:
        raise _fail(error) from None
    except KeyboardInterrupt:
        raise _fail("stopped; what was graded is kept, run the same command to go on.") from None
    raise typer.Exit(status)


@app.command()
def report(
    directory: Annotated[Path, typer.Argument(metavar="COURSE", help="The course folder.")],
    assignment: Annotated[str, typer.Argument(help="The lesson's name.")],
    gradescope: Annotated[
        Path | None, typer.Option(help="Write STUDENT/results.json for Gradescope to this folder.")
    ] = None,
    db: Annotated[str | None, typer.Option(help="URL of the gradebook.")] = None,
) -> None:
    """Write the class's page (marks, frequent mistakes, time) and table; grades nothing."""
    from autograder.classroom.assignment import ClassError
    from autograder.classroom.course_grader import CourseKeyError
    from autograder.classroom.report_command import write_report
    from autograder.core.rubric import RubricError

    try:
        write_report(directory, assignment, gradescope=gradescope, db=db)
    except (ClassError, CourseKeyError, RubricError, OSError) as error:
        raise _fail(error) from None


@app.command()
def key(
    directory: Annotated[Path, typer.Argument(metavar="COURSE", help="The course folder.")],
    rotate: Annotated[bool, typer.Option("--rotate", help="Make a new key.")] = False,
) -> None:
    """Tell where the course's secret key is, or make a new one; it draws what is judged on."""
    from autograder.classroom.assignment import ClassError
    from autograder.classroom.course_grader import CourseKeyError
    from autograder.classroom.key_command import show_key

    try:
        typer.echo(show_key(directory, rotate=rotate))
    except (ClassError, CourseKeyError, OSError) as error:
        raise _fail(error) from None


@app.command()
def doctor() -> None:
    """Tell what this machine offers the kit, and how to get the rest."""
    from autograder.learner.doctor import show

    if not show():
        raise typer.Exit(1)


@app.command()
def demo(
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Keep the course in this (new) folder.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write the class table to this file.")
    ] = None,
    kit: Kit = None,
) -> None:
    """Grade five made-up submissions with real nbgrader and show the class table."""
    from autograder.classroom.course_folder import CourseError
    from autograder.classroom.demo import DemoError, run_demo
    from autograder.lessons.course import LessonError, find_course

    try:
        run_demo(find_course(kit).root, keep, json_file)
    except (CourseError, DemoError, LessonError) as error:
        raise _fail(error) from None
