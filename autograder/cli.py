"""`autograder`: the command line. Each command calls a function elsewhere."""

from __future__ import annotations

import io
import logging
import platform
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from autograder.core.printable import printable
from autograder.learner import commands as learner_commands
from autograder.learner import sentences
from autograder.learner.commands import Kit

for _stream in (sys.stdout, sys.stderr):
    if isinstance(_stream, io.TextIOWrapper):  # on Windows, a pipe's encoding has no `█`
        _stream.reconfigure(errors="replace")

log = logging.getLogger("autograder")
VERBOSE = ("-v", "--verbose")


class CommandTree(TyperGroup):
    """All commands; here errors become one sentence and an exit status."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # `autograder grade COURSE -v` means the same as `autograder -v grade COURSE`.
        flags = [arg for arg in args if arg in VERBOSE]
        return super().parse_args(ctx, [*flags, *(arg for arg in args if arg not in VERBOSE)])

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            message = sentences.STOPPED
        except Exception as error:
            if _package(error) in ("click", "typer"):  # `--help`, or a misspelt option
                raise
            message = _sentence(error)
            log.debug("The error was raised here:", exc_info=error)
        _complain(message)
        raise typer.Exit(1)


def _package(error: Exception) -> str:
    return type(error).__module__.partition(".")[0]


def _sentence(error: Exception) -> str:
    """Return what the user should read; `-v` shows the traceback."""
    if isinstance(error, OSError):
        return f"{error.strerror}: {error.filename}" if error.filename else str(error)
    if isinstance(error, ImportError) and (sentence := _explain_import(error)):
        return sentence
    if _package(error) in ("autograder", "plnkit"):
        return str(error)
    from autograder.core.kit_fault import kit_message  # it imports JAX
    from autograder.core.messages import COMMAND_FAILED

    return kit_message(error, COMMAND_FAILED)


def _explain_import(error: ImportError) -> str:
    """Return which extra installs what is missing; nothing for other modules."""
    try:
        from plnkit.extras import explain_missing
    except ImportError:  # JAX itself is missing
        return ""
    return explain_missing(error)


def _complain(message: str) -> None:
    typer.secho(f"autograder: {printable(message)}", err=True, fg="red")


app = typer.Typer(
    cls=CommandTree,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(learner_commands.app)

Course = Annotated[Path, typer.Argument(metavar="COURSE", help="The course folder.")]
Gradebook = Annotated[str | None, typer.Option("--db", help="URL of the gradebook.")]
Lessons = Annotated[list[str] | None, typer.Argument(help="Names; by default all lessons.")]
Jobs = Annotated[int | None, typer.Option(help="Jobs at a time; by default about one per core.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="Write the table to this file.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        # Read from the metadata, because importing JAX takes seconds.
        kit, jax = metadata.version("plnkit"), metadata.version("jax")
        typer.echo(f"autograder {kit} (jax {jax}, Python {platform.python_version()})")
        raise typer.Exit


def _show_log(wanted: bool) -> None:
    if wanted:
        from rich.console import Console
        from rich.logging import RichHandler

        log.handlers = [RichHandler(console=Console(stderr=True), show_path=False)]
        log.setLevel(logging.DEBUG)
        log.debug("autograder %s in %s", metadata.version("plnkit"), Path.cwd())


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, help="Show the version.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option(*VERBOSE, callback=_show_log, help="Show on stderr what is done.")
    ] = False,
) -> None:
    """Work through the exercises of the kit; build, release and grade them."""
    import autograder.core.notebook  # noqa: F401  (before anybody else imports nbformat)


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Only check; fail if outdated.")] = False,
    kit: Kit = None,
) -> None:
    """Generate the student notebooks in exercises/ from the lessons in solutions/."""
    from autograder.lessons.course import find_course
    from autograder.lessons.exercises import check_exercises, find_strays, write_exercises

    course = find_course(kit)
    if check:
        problems = check_exercises(course)
    else:
        changed = write_exercises(course)
        for path in changed:
            typer.echo(f"wrote {path.relative_to(course.root)}")
        typer.echo(f"Files changed: {len(changed)}.")
        problems = find_strays(course)
    for problem in problems:
        _complain(problem)
    if problems:
        raise typer.Exit(1)
    if check:
        typer.echo("The notebooks in exercises/ are up to date and show no solution.")


@app.command()
def verify(
    lessons: Lessons = None,
    only: Annotated[str, typer.Option(help="Grade only files with this in their name.")] = "",
    jobs: Jobs = None,
    json_file: JsonFile = None,
    kit: Kit = None,
) -> None:
    """Check that right submissions of each lesson pass, and that wrong ones fail."""
    from autograder.lessons.course import find_course
    from autograder.lessons.verification.verify import show_verification

    if show_verification(find_course(kit).root, lessons or [], only, jobs, json_file):
        raise typer.Exit(1)


@app.command()
def course(
    directory: Annotated[Path, typer.Argument(help="The folder to make.")],
    refresh: Annotated[bool, typer.Option("--refresh", help="Update changed lessons.")] = False,
    kit: Kit = None,
) -> None:
    """Make an nbgrader course folder with the kit's lessons."""
    from autograder.classroom.course_folder import REPLACED, make_course, refresh_course
    from autograder.lessons.course import find_course

    root = find_course(kit).root
    if refresh:
        replaced = refresh_course(directory, root)
        for name in replaced:
            typer.echo(f"Refreshed {name}. Next: nbgrader generate_assignment {name} --force")
        kept = f"; the old files are in {directory / REPLACED}" if replaced else ""
        typer.echo(f"{len(replaced)} assignments changed{kept}.")
        return
    names = make_course(directory, root)
    typer.echo(f"Made {directory} with the assignments: {', '.join(names)}.")
    typer.echo(f"Next: cd {directory} && nbgrader generate_assignment {names[0]}")


@app.command()
def grade(
    directory: Course,
    assignments: Lessons = None,
    student: Annotated[list[str] | None, typer.Option(help="A student; may be repeated.")] = None,
    jobs: Jobs = None,
    force: Annotated[bool, typer.Option("--force/--resume", help="Grade all again.")] = False,
    require_sandbox: Annotated[
        bool, typer.Option("--require-sandbox", help="Refuse to grade with weaker protection.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Points that code could have forged wait for you.")
    ] = False,
    scheduler: Annotated[str | None, typer.Option(help="A scheduler of dask's, tls://...")] = None,
    db: Gradebook = None,
) -> None:
    """Grade what was handed in, in parallel; only what changed is graded again."""
    if scheduler is None:
        from autograder.sandbox import shared_zygotes

        shared_zygotes().launch()  # they start while the rest is imported
    from autograder.classroom.command import run

    status = run(
        directory,
        assignments or (),
        student or (),
        jobs=jobs,
        force=force,
        require_sandbox=require_sandbox,
        strict=strict,
        scheduler=scheduler,
        db=db,
    )
    raise typer.Exit(status)


@app.command()
def report(
    directory: Course,
    assignment: Annotated[str, typer.Argument(help="The lesson's name.")],
    gradescope: Annotated[Path | None, typer.Option(help="Folder for Gradescope's files.")] = None,
    similar: Annotated[Path | None, typer.Option(help="Page of submissions alike.")] = None,
    db: Gradebook = None,
) -> None:
    """Write a page (marks, frequent mistakes, time) and a table; grade nothing."""
    from autograder.classroom.report_command import write_report

    write_report(directory, assignment, gradescope=gradescope, similar=similar, db=db)


@app.command()
def key(
    directory: Course,
    rotate: Annotated[bool, typer.Option("--rotate", help="Make a new key.")] = False,
) -> None:
    """Show where the course's secret key is, or make a new one; it draws the secret inputs."""
    from autograder.classroom.course_key import show_key

    typer.echo(show_key(directory, rotate=rotate))


@app.command()
def doctor() -> None:
    """Show what this machine offers the kit, and how to get the rest."""
    from autograder.learner.doctor import show_machine

    if not show_machine():
        raise typer.Exit(1)


@app.command()
def demo(
    keep: Annotated[Path | None, typer.Option(help="Keep the course in this new folder.")] = None,
    json_file: JsonFile = None,
    kit: Kit = None,
) -> None:
    """Grade five made-up submissions with real nbgrader and show the class table."""
    from autograder.classroom.demo import run_demo
    from autograder.lessons.course import find_course

    run_demo(find_course(kit).root, keep, json_file)
