"""The commands for learners, in the order of use."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markdown import Markdown
from rich.padding import Padding
from rich.syntax import Syntax
from rich.text import Text

from autograder.learner import sentences
from autograder.learner.folder import (
    LearningError,
    LessonNotebook,
    choose_notebook,
    find_copies,
    find_folder,
    find_notebooks,
    shorten,
)
from autograder.lessons.options import Lessons
from autograder.model.printable import printable
from autograder.render.terminal import plain

PANEL = "For learners"
app = typer.Typer()


Folder = Annotated[
    Path | None, typer.Option("--in", help="The folder of your exercises; by default this one.")
]
Lesson = Annotated[str, typer.Argument(help="Name or number.")]


def _console() -> Console:
    return Console(highlight=False)


def _checking(notebook: LessonNotebook) -> Text:
    return plain(f"checking {notebook.path.name}")


def _choose(name: str, folder: Path | None) -> LessonNotebook:
    return choose_notebook(find_notebooks(find_folder(folder)), name)


@app.command(rich_help_panel=PANEL)
def start(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")] = Path(
        "exercises"
    ),
    lessons: Lessons = None,
) -> None:
    """Make a copy of the exercises to work in; existing files stay as they are."""
    from autograder.learner.starting import copy_exercises
    from autograder.lessons.course import find_course

    new, kept = copy_exercises(directory, find_course(lessons))
    is_usual = directory == Path("exercises")
    go, where = ("", directory) if is_usual else (f"cd {shlex.quote(str(directory))} && ", ".")
    first = (directory if is_usual else Path()) / find_notebooks(directory)[0].path.name
    words = {"folder": directory, "go": go, "where": where, "first": first}
    typer.echo(sentences.STARTED.format(new=new, kept=kept, **words))


@app.command("next", rich_help_panel=PANEL)
def show_next(folder: Folder = None, lessons: Lessons = None) -> None:
    """Show the first lesson that is not solved: its file, and its task."""
    from autograder.learner.helping import read_task
    from autograder.learner.standing import check_lesson
    from autograder.render import criterion_text
    from autograder.render.progress import progress

    console = _console()
    with progress(sentences.CHECKING_ALL) as steps:
        for notebook in find_notebooks(find_folder(folder)):
            lesson = check_lesson(notebook, steps)
            if not lesson.is_solved:
                break
        else:
            console.print(sentences.ALL_DONE)
            return
    failing, file = lesson.first_failing(), shorten(notebook.path)
    title, task = read_task(notebook.path, failing[0].exercise if failing else "")
    head = plain(f"Lesson {notebook.number}, {notebook.lesson}", "bold")
    console.print(head, plain(title), sep=": ")
    console.print(plain(f"File:    {file}"), soft_wrap=True)
    learned = f"{lesson.rubric.learned} (about {lesson.rubric.minutes} minutes)"
    console.print(plain(f"Learn:   {learned}"))
    console.print(Padding(Markdown(printable(task or sentences.NO_TASK)), (1, 0)))
    if failing:
        console.print(plain(criterion_text(failing[1], whole=False)))
        line = sentences.HINT_SAYS_WHY.format(lesson=notebook.lesson)
        console.print(plain(line), soft_wrap=True)
    console.print()
    console.print(plain(sentences.NEXT_WAYS.format(file=file)))
    for sentence in find_copies(notebook.path.parent):
        console.print(plain(sentence))


@app.command(rich_help_panel=PANEL)
def watch(folder: Folder = None, lessons: Lessons = None) -> None:
    """Check each notebook as soon as it is saved, until Ctrl-C."""
    from autograder.learner.standing import show_checked, show_course
    from autograder.learner.watching import watch_folder

    console = _console()
    found = find_folder(folder)
    show_course(console, found)
    console.print(plain(sentences.WATCHING.format(folder=shorten(found))))
    with contextlib.suppress(KeyboardInterrupt):
        for lesson, seconds in watch_folder(found):
            show_checked(console, lesson, seconds)
            show_course(console, found)
    console.print(sentences.STOPPED)


@app.command(rich_help_panel=PANEL)
def hint(
    lesson: Annotated[
        str | None, typer.Argument(help="Name or number; by default the first unsolved.")
    ] = None,
    folder: Folder = None,
    lessons: Lessons = None,
) -> None:
    """Give the next hint on what fails first in a lesson."""
    from autograder.learner.helping import next_hint
    from autograder.learner.standing import read_standings

    console = _console()
    if lesson is not None:
        notebook = _choose(lesson, folder)
    else:
        course = read_standings(find_folder(folder))
        notebook = next((s for s in course if not s.is_solved), course[-1]).notebook
    with console.status(_checking(notebook)):
        text = next_hint(notebook)
    console.print(plain(text))


@app.command(rich_help_panel=PANEL)
def explain(
    rule: Annotated[str | None, typer.Argument(help="Its name; by default lists all.")] = None,
) -> None:
    """Explain a rule: the cause, the fix, and the lesson that teaches it."""
    from autograder.learner.explaining import explain_rule, list_rules

    _console().print(plain(list_rules() if rule is None else explain_rule(rule)))


@app.command(rich_help_panel=PANEL)
def speed(
    lesson: Annotated[
        str | None,
        typer.Argument(help="Name or number; by default all begun that have points for speed."),
    ] = None,
    folder: Folder = None,
    lessons: Lessons = None,
) -> None:
    """Time your program: the verdict where JAX finds a GPU, this CPU's ratio elsewhere."""
    from autograder.criteria.speed.decision import speed_of
    from autograder.learner.timing import choose_timed, time_notebook
    from autograder.render import criterion_text

    if lesson is not None and (Path(lesson) / "manifest.json").is_file():
        raise LearningError(sentences.IS_A_BUNDLE.format(path=lesson))
    console = _console()
    course = find_notebooks(find_folder(folder))
    for notebook in choose_timed(course, choose_notebook(course, lesson) if lesson else None):
        with console.status(plain(f"timing {notebook.path.name}")):
            record = time_notebook(notebook.path, notebook.rubric(), again=True)
        for report in record.reports:
            criterion = speed_of(report)
            if criterion is not None:
                console.print(plain(report.exercise, "bold"), end=", ")
                console.print(plain(criterion_text(criterion)))


@app.command(rich_help_panel=PANEL)
def progress(folder: Folder = None, lessons: Lessons = None) -> None:
    """Show what is solved, and what comes next; notebooks that have changed are checked."""
    from autograder.learner.checking import is_untouched
    from autograder.learner.notebook_record import is_writable
    from autograder.learner.standing import check_lesson, read_standings, show_course, show_table

    console = _console()
    found = find_folder(folder)
    notes: list[str] = []
    with console.status("checking your notebooks") as status:
        course = read_standings(found)
        for i, lesson in enumerate(course):
            if not is_untouched(lesson.notebook.path, lesson.rubric):
                status.update(_checking(lesson.notebook))
                checked = check_lesson(lesson.notebook)
                if checked.record.is_readable or not lesson.record.reports:
                    course[i] = checked
                else:
                    notes.append(sentences.UNREADABLE.format(file=lesson.notebook.path.name))
    show_table(console, course)
    show_course(console, found, course)
    if course and not is_writable(course[0].notebook.path):
        notes.append(sentences.NOT_KEPT.format(folder=found))
    for note in notes:
        console.print(plain(note), soft_wrap=True)


@app.command(rich_help_panel=PANEL)
def reset(lesson: Lesson, folder: Folder = None, lessons: Lessons = None) -> None:
    """Replace a lesson by its starter; your work is kept as a dated copy."""
    from autograder.learner.checkout import reset_notebook, with_deleted

    found = find_folder(folder)
    notebook = choose_notebook(with_deleted(find_notebooks(found), found), lesson)
    was_there = notebook.path.exists()
    kept = reset_notebook(notebook)
    text = sentences.RESET if kept else sentences.NOT_CHANGED
    text = text if was_there else sentences.RESTORED
    typer.echo(text.format(file=shorten(notebook.path), kept=kept and shorten(kept)))


@app.command(rich_help_panel=PANEL)
def solution(
    lesson: Lesson,
    spoil: Annotated[bool, typer.Option("--spoil", help="Show it even if unsolved.")] = False,
    folder: Folder = None,
    lessons: Lessons = None,
) -> None:
    """Show the solution of a lesson that you have solved."""
    from autograder.learner.checkout import find_solutions

    console = _console()
    notebook = _choose(lesson, folder)
    with console.status(_checking(notebook)):
        cells = find_solutions(notebook, spoil=spoil)
    for name, cell in cells.items():
        console.rule(plain(name), align="left", style="dim")
        if cell.cell_type == "markdown":
            console.print(Markdown(cell.source))
        else:
            # As text without wrapping, so that each line of code stays whole.
            code = Syntax("", "python", background_color="default").highlight(cell.source)
            console.print(code, soft_wrap=True)
