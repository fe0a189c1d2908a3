"""The commands for learners: thin fronts of this package's functions, in the order of use."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text

from autograder.core.printable import printable
from autograder.learner import sentences
from autograder.learner.folder import LearningError, LessonNotebook, choose, find_folder, notebooks
from autograder.render.terminal import plain

PANEL = "For learners"
app = typer.Typer()

Kit = Annotated[
    Path | None, typer.Option("--kit", help="The checkout; by default the one you are in.")
]
Folder = Annotated[
    Path | None, typer.Option("--in", help="The folder of your exercises; by default this one.")
]
Lesson = Annotated[
    str | None, typer.Argument(help="Name or number; by default the first that is not solved.")
]


@contextlib.contextmanager
def _sentences() -> Iterator[None]:
    """Whatever goes wrong is said in one sentence on stderr, with exit status 1."""
    from autograder.core.rubric import RubricError
    from autograder.judge.client import JudgeError
    from autograder.lessons.course import LessonError
    from autograder.sandbox.zygote_client import WorkerError

    try:
        yield
    except (JudgeError, LearningError, LessonError, RubricError, WorkerError) as error:
        message = str(error)
    except OSError as error:
        message = f"{error.strerror}: {error.filename}"
    except KeyboardInterrupt:
        message = sentences.STOPPED
    else:
        return
    typer.secho(f"autograder: {printable(message)}", err=True, fg="red")
    raise typer.Exit(1)


def _shown(path: Path) -> Path:
    """The path as the learner would type it here."""
    here = Path.cwd().resolve()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _checking(notebook: LessonNotebook) -> Text:
    return plain(f"checking {notebook.path.name}")


def _wanted(lesson: str | None, folder: Path | None) -> LessonNotebook:
    found = find_folder(folder)
    if lesson is not None:
        return choose(notebooks(found), lesson)
    from autograder.learner.standing import standings

    course = standings(found)
    return next((s.notebook for s in course if not s.solved), course[-1].notebook)


@app.command(rich_help_panel=PANEL)
def start(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
    kit: Kit = None,
) -> None:
    """Make a copy of the exercises to work in; nothing that is there is overwritten."""
    with _sentences():
        from autograder.learner.starting import start
        from autograder.lessons.course import find_course

        new, kept = start(directory, find_course(kit).root)
        typer.echo(sentences.STARTED.format(folder=directory, new=new, kept=kept))
        typer.echo(sentences.ENTER_IT.format(folder=directory))


@app.command("next", rich_help_panel=PANEL)
def show_next(folder: Folder = None) -> None:
    """Show the first lesson that is not solved: its file, and what it asks for."""
    console = Console(highlight=False)
    with _sentences():
        from autograder.learner.next_lesson import asked, next_lesson
        from autograder.render import criterion_text

        found = find_folder(folder)
        with console.status("looking at your notebooks") as status:
            lesson = next_lesson(found, lambda n: status.update(_checking(n)))
        if lesson is None:
            console.print(sentences.ALL_DONE)
            return
        failing, file = lesson.first_failing(), _shown(lesson.notebook.path)
        what = asked(lesson.notebook.path)
        name = lesson.notebook.lesson
        head = plain(f"Lesson {lesson.notebook.number}, {name}", "bold")
        console.print(head, plain(what.title), sep=": ")
        console.print(plain(f"File:    {file}"), soft_wrap=True)
        learned = f"{lesson.rubric.learned} (about {lesson.rubric.minutes} minutes)"
        console.print(plain(f"Learn:   {learned}"))
        task = what.tasks.get(failing[0].exercise) if failing else None
        console.print(Padding(Markdown(printable(task or sentences.NO_TASK)), (1, 0)))
        if failing:
            console.print(plain(criterion_text(failing[1])))
        console.print()
        console.print(plain(sentences.NEXT_WAYS.format(file=file, lesson=name)))


@app.command(rich_help_panel=PANEL)
def watch(folder: Folder = None) -> None:
    """Check each notebook as soon as it is saved, until Ctrl-C."""
    from autograder.learner.showing import show_checked, show_course

    console = Console(highlight=False)
    with _sentences():
        from autograder.learner.watching import warm_up, watch

        found = find_folder(folder)
        warm_up()
        show_course(console, found, Path.cwd())
        console.print(plain(sentences.WATCHING.format(folder=_shown(found))))
        with contextlib.suppress(KeyboardInterrupt):
            for checked in watch(found):
                show_checked(console, checked)
                show_course(console, found, Path.cwd())
        console.print(sentences.STOPPED)


@app.command(rich_help_panel=PANEL)
def hint(lesson: Lesson = None, folder: Folder = None) -> None:
    """Give the next hint on what fails first in a lesson."""
    console = Console(highlight=False)
    with _sentences():
        from autograder.learner.hinting import next_hint

        notebook = _wanted(lesson, folder)
        with console.status(_checking(notebook)):
            text = next_hint(notebook)
        console.print(plain(text))


@app.command(rich_help_panel=PANEL)
def speed(
    lesson: Annotated[
        str | None,
        typer.Argument(help="Name or number; by default all begun that have points for speed."),
    ] = None,
    folder: Folder = None,
) -> None:
    """Time your program: the verdict where JAX finds a GPU, this CPU's ratio elsewhere."""
    console = Console(highlight=False)
    with _sentences():
        from autograder.criteria.speed.verdict import speed_of
        from autograder.learner.timing import time_notebook, to_time
        from autograder.lessons.course import the_course
        from autograder.render import criterion_text

        if lesson is not None and (Path(lesson) / "manifest.json").is_file():
            raise LearningError(sentences.IS_A_BUNDLE.format(path=lesson))
        course = notebooks(find_folder(folder))
        for notebook in to_time(course, choose(course, lesson) if lesson else None):
            with console.status(f"timing {notebook.path.name}"):
                record = time_notebook(
                    notebook.path, the_course().rubric(notebook.lesson), again=True
                )
            for report in record.reports:
                if (found := speed_of(report)) is not None:
                    console.print(f"[bold]{report.exercise}[/]", end=", ")
                    console.print(criterion_text(found), markup=False)


@app.command(rich_help_panel=PANEL)
def progress(folder: Folder = None) -> None:
    """Show what is solved, and what comes next; notebooks that have changed are checked."""
    console = Console(highlight=False)
    with _sentences():
        from autograder.learner.checking import check_notebook, untouched
        from autograder.learner.showing import show_course, show_table
        from autograder.learner.standing import standings

        found = find_folder(folder)
        with console.status("looking at your notebooks") as status:
            for lesson in standings(found):
                if not untouched(lesson.notebook.path, lesson.rubric):
                    status.update(_checking(lesson.notebook))
                    check_notebook(lesson.notebook.path, lesson.rubric)
        show_table(console, standings(found))
        show_course(console, found, Path.cwd())


@app.command(rich_help_panel=PANEL)
def reset(
    lesson: Annotated[str, typer.Argument(help="Name or number.")],
    folder: Folder = None,
    kit: Kit = None,
) -> None:
    """Give a lesson's starter back; your work is kept as a dated copy."""
    with _sentences():
        from autograder.learner.starting import reset

        notebook = _wanted(lesson, folder)
        kept = reset(notebook, kit)
        file = _shown(notebook.path)
        text = sentences.NOT_CHANGED if kept is None else sentences.RESET
        typer.echo(text.format(file=file, kept=kept and _shown(kept)))


@app.command(rich_help_panel=PANEL)
def solution(
    lesson: Annotated[str, typer.Argument(help="Name or number.")],
    spoil: Annotated[bool, typer.Option("--spoil", help="Show it before you solved it.")] = False,
    folder: Folder = None,
    kit: Kit = None,
) -> None:
    """Show the solution of a lesson that you have solved."""
    console = Console(highlight=False)
    with _sentences():
        from autograder.learner.solution import solution

        notebook = _wanted(lesson, folder)
        with console.status(_checking(notebook)):
            parts = solution(notebook, spoil=spoil, kit=kit)
        for part in parts:
            console.rule(plain(part.name), align="left", style="dim")
            # As text: no line is cut, or broken where Python would mind.
            code = Syntax("", "python", background_color="default").highlight(part.text)
            console.print(code if part.is_code else Markdown(part.text), soft_wrap=part.is_code)
