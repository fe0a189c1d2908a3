"""What the learner's commands print about a lesson and about the course."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.learner import sentences
from autograder.learner.standing import Standing, course_bar, standings, what_next
from autograder.learner.watching import Checked
from autograder.render import text_card
from autograder.render.terminal import plain


def show_course(console: Console, folder: Path, here: Path) -> None:
    """The bar over the course and what comes next."""
    course = standings(folder)
    console.print(plain(course_bar(course)), soft_wrap=True)
    console.print(plain(what_next(course, here.resolve())), soft_wrap=True)


def show_checked(console: Console, checked: Checked) -> None:
    """The cards of a lesson that was just checked."""
    file = checked.standing.notebook.path.name
    console.print()
    said = sentences.CHECKED.format(file=file, seconds=checked.seconds)
    console.rule(plain(said), align="left")
    for report in checked.standing.record.reports:
        console.print(plain(text_card(report)), soft_wrap=True)


def _state(lesson: Standing) -> str:
    if lesson.solved:
        return "solved"
    if not lesson.begun:
        return ""
    failing = lesson.first_failing()
    return f"{failing[0].exercise}: {failing[1].name}" if failing else "not judged here"


def show_table(console: Console, course: list[Standing]) -> None:
    """One row a lesson."""
    table = Table(box=None, pad_edge=False)
    for column in ("", "lesson", "points", "state"):
        table.add_column(column, justify="right" if column in ("", "points") else "left")
    for lesson in course:
        number = str(lesson.notebook.number)
        points = f"{lesson.earned:g} / {lesson.possible:g}"
        points += f" (+{lesson.pending:g} pending)" if lesson.pending else ""
        table.add_row(*map(plain, (number, lesson.notebook.lesson, points, _state(lesson))))
    console.print(table)
