"""`autograder`: the command line. Each command is a thin front of a function elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build, release and grade the exercises of the kit.",
)

Kit = Annotated[
    Path | None, typer.Option("--kit", help="The checkout; by default the one you are in.")
]


def _fail(message: object) -> typer.Exit:
    typer.secho(f"autograder: {message}", err=True, fg="red")
    return typer.Exit(1)


@app.callback()
def main() -> None:
    """Build, release and grade the exercises of the kit."""


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Write nothing; fail on drift.")] = False,
    kit: Kit = None,
) -> None:
    """Generate the student notebooks in exercises/ from the lessons in solutions/."""
    from autograder.authoring import LessonError, check_exercises, kit_root, write_exercises
    from autograder.rubric import RubricError

    try:
        root = kit_root(kit)
        if check:
            problems = check_exercises(root)
            for problem in problems:
                typer.secho(f"autograder: {problem}", err=True, fg="red")
            if problems:
                raise typer.Exit(1)
            typer.echo("The notebooks in exercises/ are fresh, and leak nothing.")
            return
        changed = write_exercises(root)
    except (LessonError, RubricError) as error:
        raise _fail(error) from None
    for path in changed:
        typer.echo(f"wrote {path.relative_to(root)}")
    typer.echo(f"{len(changed)} notebooks changed.")


@app.command()
def course(
    directory: Annotated[Path, typer.Argument(help="The folder to make.")], kit: Kit = None
) -> None:
    """Make an nbgrader course folder with the kit's lessons."""
    from autograder.authoring import LessonError, kit_root
    from autograder.course import CourseError, make_course
    from autograder.rubric import RubricError

    try:
        names = make_course(directory, kit_root(kit))
    except (CourseError, LessonError, RubricError) as error:
        raise _fail(error) from None
    typer.echo(f"Made {directory} with the assignments: {', '.join(names)}.")
    typer.echo(f"Next: cd {directory} && nbgrader generate_assignment {names[0]}")


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
    from autograder.authoring import LessonError, kit_root
    from autograder.course import CourseError
    from autograder.demo import DemoError, run_demo

    try:
        run_demo(kit_root(kit), keep, json_file)
    except (CourseError, DemoError, LessonError) as error:
        raise _fail(error) from None


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def speed(context: typer.Context) -> None:
    """Time the programs of a bundle on a GPU machine; see `python -m autograder.speed -h`."""
    from autograder.speed.__main__ import main as time_programs

    raise typer.Exit(time_programs(context.args))
