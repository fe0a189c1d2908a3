"""`autograder`: the command line. Each command calls a function elsewhere."""

from __future__ import annotations

import io
import logging
import platform
import shlex
import sys
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from autograder.classroom.packs import pack_commands
from autograder.learner import commands as learner_commands
from autograder.learner import sentences
from autograder.lessons.options import Lessons
from autograder.model.printable import printable

for _stream in (sys.stdout, sys.stderr):
    if isinstance(_stream, io.TextIOWrapper):  # on Windows, a pipe's encoding has no `█`
        _stream.reconfigure(errors="replace")

log = logging.getLogger("autograder")
VERBOSE = ("-v", "--verbose")


class CommandTree(TyperGroup):
    """All commands; here errors become one sentence and an exit status."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Take `-v` and `--verbose` wherever they stand, as in `autograder grade COURSE -v`."""
        flags = [arg for arg in args if arg in VERBOSE]
        return super().parse_args(ctx, [*flags, *(arg for arg in args if arg not in VERBOSE)])

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what it raises becomes a message and an exit status."""
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
    from autograder.model.kit_fault import kit_message  # it imports JAX
    from autograder.model.messages import COMMAND_FAILED

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
app.add_typer(pack_commands.app, name="pack")

Course = Annotated[Path, typer.Argument(metavar="COURSE", help="The course folder.")]
Gradebook = Annotated[str | None, typer.Option("--db", help="URL of the gradebook.")]
Roster = Annotated[Path | None, typer.Option(help="CSV: who is who, and who has more time.")]
Names = Annotated[list[str] | None, typer.Argument(help="Lessons; by default all.")]
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
    import autograder.model.notebook  # noqa: F401  (before anybody else imports nbformat)


@app.command()
def build(
    check: Annotated[bool, typer.Option("--check", help="Only check; fail if outdated.")] = False,
    lessons: Lessons = None,
) -> None:
    """Generate the student notebooks in exercises/ from the lessons in solutions/."""
    from autograder.lessons.course import find_course
    from autograder.lessons.exercises import check_exercises, find_strays, write_exercises

    course = find_course(lessons)
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


@app.command("new-lesson")
def make_lesson(
    name: Annotated[str, typer.Argument(help="Of the lesson, its exercise and its function.")],
    folder: Annotated[Path, typer.Option("--in", help="Your lesson folder.")] = Path(),
) -> None:
    """Make a lesson of your own: a script, a rubric and submissions, which work at once."""
    from autograder.learner.folder import shorten
    from autograder.lessons.scaffolding import new_lesson

    for file in new_lesson(name, folder.resolve()):
        typer.echo(f"wrote {shorten(file)}")
    where = f"--lessons {shlex.quote(str(folder))}"
    typer.echo(f"Next: autograder build {where} && autograder verify {name} {where}")


@app.command()
def verify(
    names: Names = None,
    only: Annotated[str, typer.Option(help="Grade only files with this in their name.")] = "",
    jobs: Jobs = None,
    json_file: JsonFile = None,
    lessons: Lessons = None,
) -> None:
    """Check that right submissions of each lesson pass, and that wrong ones fail."""
    from autograder.lessons.course import find_course
    from autograder.lessons.verification.verify import show_verification

    if show_verification(find_course(lessons), names or [], only, jobs, json_file):
        raise typer.Exit(1)


@app.command()
def site(
    directory: Annotated[Path, typer.Argument(help="The folder to make.")],
    jobs: Jobs = None,
) -> None:
    """Build the kit's web pages from a checkout: lessons, errors, rules, guides."""
    from autograder.lessons.course import find_course
    from autograder.processes.child_process import count_cores
    from plnkit.extras import from_extras

    with from_extras():
        from autograder.lessons.site.build import build_site
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        say = lambda what: status.update(f"The site: {what}")
        build_site(find_course(), directory.resolve(), say, jobs or 1 + count_cores())
    typer.echo(f"Made {directory}. Open {directory / 'index.html'} in a browser.")


@app.command()
def course(
    directory: Annotated[Path, typer.Argument(help="The folder to make.")],
    refresh: Annotated[bool, typer.Option("--refresh", help="Update changed lessons.")] = False,
    lessons: Lessons = None,
) -> None:
    """Make an nbgrader course folder with the kit's lessons, or with your own."""
    from autograder.classroom.course_folder import REPLACED, make_course, refresh_course
    from autograder.lessons.course import find_course

    found = find_course(lessons)
    if refresh:
        replaced, added = refresh_course(directory, found)
        for name in replaced:
            typer.echo(f"Refreshed {name}. Next: nbgrader generate_assignment {name} --force")
        for name in added:
            typer.echo(f"Added {name}. Next: nbgrader generate_assignment {name}")
        kept = f"; the old files are in {directory / REPLACED}" if replaced else ""
        new = f", {len(added)} added" if added else ""
        typer.echo(f"{len(replaced)} assignments changed{new}{kept}.")
        return
    names = make_course(directory, found)
    typer.echo(f"Made {directory} with the assignments: {', '.join(names)}.")
    typer.echo(f"Next: cd {directory} && nbgrader generate_assignment {names[0]}")


@app.command()
def grade(
    directory: Course,
    assignments: Names = None,
    student: Annotated[list[str] | None, typer.Option(help="A student; may be repeated.")] = None,
    jobs: Jobs = None,
    force: Annotated[bool, typer.Option("--force/--resume", help="Grade all again.")] = False,
    limits_only: Annotated[
        bool, typer.Option("--limits-only", help="Grade also where only limits confine it.")
    ] = False,
    require_sandbox: Annotated[
        bool, typer.Option("--require-sandbox", help="Refuse also where it is another user only.")
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Points that code could have forged wait for you.")
    ] = False,
    scheduler: Annotated[str | None, typer.Option(help="A scheduler of dask's, tls://...")] = None,
    roster: Roster = None,
    db: Gradebook = None,
    lessons: Lessons = None,
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
        limits_only=limits_only,
        require_sandbox=require_sandbox,
        strict=strict,
        scheduler=scheduler,
        roster=roster,
        db=db,
    )
    raise typer.Exit(status)


@app.command()
def report(
    directory: Course,
    assignment: Annotated[
        str | None, typer.Argument(help="The lesson's name; by default, the class over all.")
    ] = None,
    gradescope: Annotated[Path | None, typer.Option(help="Folder for Gradescope's files.")] = None,
    canvas: Annotated[Path | None, typer.Option(help="CSV file for Canvas's gradebook.")] = None,
    moodle: Annotated[Path | None, typer.Option(help="CSV file for Moodle's gradebook.")] = None,
    roster: Roster = None,
    names: Annotated[bool, typer.Option("--names", help="Without a lesson: show names.")] = False,
    formgrader: Annotated[str | None, typer.Option(help="Its URL, for links on the page.")] = None,
    similar: Annotated[Path | None, typer.Option(help="Page of submissions alike.")] = None,
    db: Gradebook = None,
    lessons: Lessons = None,
) -> None:
    """Write a page (marks, frequent mistakes, time) and a table; grade nothing."""
    if assignment is None:
        from autograder.classroom.term.term_report import write_term_report

        exports = {"--gradescope": gradescope, "--canvas": canvas, "--moodle": moodle}
        exports["--similar"] = similar
        write_term_report(
            directory, names=names, roster=roster, formgrader=formgrader, db=db, exports=exports
        )
        return
    from autograder.classroom.report_command import write_report

    write_report(
        directory,
        assignment,
        gradescope=gradescope,
        canvas=canvas,
        moodle=moodle,
        roster=roster,
        similar=similar,
        db=db,
    )


@app.command()
def key(
    directory: Course,
    rotate: Annotated[bool, typer.Option("--rotate", help="Make a new key.")] = False,
) -> None:
    """Show where the course's secret key is, or make a new one; it draws the secret inputs."""
    from autograder.classroom.course_config import show_key

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
    lessons: Lessons = None,
) -> None:
    """Grade five made-up submissions in an nbgrader course and show the class table."""
    from autograder.classroom.demo import run_demo
    from autograder.lessons.course import find_course

    run_demo(find_course(lessons).root, keep, json_file)
