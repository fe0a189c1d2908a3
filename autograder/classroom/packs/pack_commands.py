"""`autograder pack`: the commands that make a lesson ready for another platform."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.classroom import messages
from autograder.lessons.options import Lessons

app = typer.Typer(no_args_is_help=True, help="Make lessons ready for Gradescope or GitHub.")


class Visibility(StrEnum):
    """When students see the tests on Gradescope, in its own words."""

    VISIBLE = "visible"
    AFTER_DUE_DATE = "after_due_date"
    AFTER_PUBLISHED = "after_published"
    HIDDEN = "hidden"


@app.command()
def gradescope(
    lesson: Annotated[str, typer.Argument(help="The lesson's name.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The zip file to write.")],
    course: Annotated[
        Path | None,
        typer.Option(help="A course whose secret key counts; by default a new key is drawn."),
    ] = None,
    visibility: Annotated[
        Visibility, typer.Option(help="When students see the tests.")
    ] = Visibility.AFTER_PUBLISHED,
    limits_only: Annotated[
        bool, typer.Option("--limits-only", help="Grade also where only limits confine it.")
    ] = False,
    lessons: Lessons = None,
) -> None:
    """Write the zip file that Gradescope makes an autograder of. It holds a secret key."""
    from autograder.classroom.packs.gradescope_pack import write_gradescope
    from autograder.lessons.course import find_course
    from autograder.render.progress import progress

    with progress(messages.PACKING):
        done = write_gradescope(
            find_course(lessons),
            lesson,
            output,
            marked_in=course,
            visibility=str(visibility),
            limits_only=limits_only,
        )
    typer.echo(done)


@app.command()
def github(
    names: Annotated[list[str], typer.Argument(metavar="LESSONS...", help="Names of lessons.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to make.")],
    lessons: Lessons = None,
) -> None:
    """Write a template repository for GitHub Classroom: a push shows the card, and marks."""
    from autograder.classroom.packs.github_pack import write_github
    from autograder.lessons.course import find_course
    from autograder.render.progress import progress

    with progress(messages.PACKING):
        done = write_github(find_course(lessons), names, output)
    typer.echo(done)
