"""What the learner's commands print about a lesson and about the course."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.learner import sentences
from autograder.learner.standing import Standing, course_bar, read_standings, what_next
from autograder.render import text_card
from autograder.render.terminal import plain


def show_course(console: Console, folder: Path) -> None:
    """Show the bar over the course and what comes next."""
    course = read_standings(folder)
    console.print(plain(course_bar(course)), soft_wrap=True)
    console.print(plain(what_next(course)), soft_wrap=True)


def show_checked(console: Console, lesson: Standing, seconds: float) -> None:
    """Show the cards of a lesson that was just checked."""
    console.print()
    head = sentences.CHECKED.format(file=lesson.notebook.path.name, seconds=seconds)
    console.rule(plain(head), align="left")
    for report in lesson.record.reports:
        console.print(plain(text_card(report)), soft_wrap=True)


def show_table(console: Console, course: list[Standing]) -> None:
    """Show one row for each lesson."""
    table = Table(box=None, pad_edge=False)
    for column in ("", "lesson", "points", "state"):
        table.add_column(column, justify="right" if column in ("", "points") else "left")
    for lesson in course:
        failing = lesson.first_failing()
        state = "not judged here" if lesson.is_begun else ""
        if lesson.is_solved:
            state = "solved"
        elif failing:
            state = f"{failing[0].exercise}: {failing[1].name}"
        points = f"{lesson.earned:g} / {lesson.possible:g}"
        points += f" (+{lesson.pending:g} pending)" if lesson.pending else ""
        number = lesson.notebook.number
        table.add_row(*map(plain, (number, lesson.notebook.lesson, points, state)))
    console.print(table)
