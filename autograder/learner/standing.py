"""What a learner has reached in each lesson, and in the whole course; and how it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from autograder.learner import sentences
from autograder.learner.folder import LessonNotebook, find_copies, find_notebooks, shorten
from autograder.learner.notebook_record import Record, first_failing, read_record
from autograder.model.report import CriterionResult, Report
from autograder.model.rubric import Rubric
from autograder.render import text_card
from autograder.render.progress import Steps
from autograder.render.terminal import plain

BAR_WIDTH = 32


@dataclass(frozen=True)
class Standing:
    """The state of one lesson when it was last checked."""

    notebook: LessonNotebook
    rubric: Rubric
    record: Record

    @property
    def is_solved(self) -> bool:
        """Whether all checks passed."""
        return self.record.all_passed

    @property
    def earned(self) -> float:
        """The points earned."""
        return sum(report.earned for report in self.record.reports)

    @property
    def possible(self) -> float:
        """Points that can be decided here; before the first check, all but those for speed."""
        if self.record.reports:
            return sum(report.possible for report in self.record.reports)
        return sum(sum(e.points.values()) for e in self.rubric.exercises) - self.pending

    @property
    def pending(self) -> float:
        """The points that can still be earned without another submission."""
        if self.record.reports:
            return sum(report.pending for report in self.record.reports)
        return sum(e.points.get("speed", 0) for e in self.rubric.exercises)

    def first_failing(self) -> tuple[Report, CriterionResult] | None:
        """Return the criterion to fix first; None when all passed or nothing was checked."""
        return first_failing(self.record.reports)


def check_lesson(notebook: LessonNotebook, steps: Steps | None = None) -> Standing:
    """Check a notebook if it has changed, and return its lesson's standing.

    With `steps`, only up to the first exercise that does not pass: see `check_notebook`.
    """
    from autograder.learner.checking import check_notebook  # it imports JAX, this module does not

    rubric = notebook.rubric()
    return Standing(notebook, rubric, check_notebook(notebook.path, rubric, steps=steps))


def read_standings(folder: Path) -> list[Standing]:
    """Return all lessons of a folder in course order; nothing is run."""
    found = find_notebooks(folder)
    return [Standing(one, one.rubric(), read_record(one.path)) for one in found]


def _points_text(standings: Sequence[Standing], separator: str) -> tuple[str, str]:
    """The points earned and possible, and in brackets those that are pending."""
    earned, possible = sum(s.earned for s in standings), sum(s.possible for s in standings)
    pending = sum(s.pending for s in standings)
    text = f"{earned:g}{separator}{possible:g}"
    return text, f" (+{pending:g} pending)" if pending else ""


def course_bar(course: Sequence[Standing]) -> str:
    """Return ``██░░  7 of 16 lessons, 41 of 88 points (+3 pending)``; full when all is done.

    The lessons of optional tracks are counted behind it, once one of them is solved.
    """
    core = [s for s in course if not s.rubric.track] or course
    possible = sum(s.possible for s in core)
    filled = int(BAR_WIDTH * sum(s.earned for s in core) / possible) if possible else 0
    bar = "█" * filled + "░" * (BAR_WIDTH - filled)
    solved, all_solved = (sum(s.is_solved for s in some) for some in (core, course))
    points, pending = _points_text(core, " of ")
    more = sentences.OF_TRACKS.format(solved=all_solved - solved, lessons=len(course) - len(core))
    text = f"{bar}  {solved} of {len(core)} lessons, {points} points{pending}"
    return text + (more if all_solved > solved else "")


def what_next(course: Sequence[Standing]) -> str:
    """Return one sentence: the first lesson that is not solved, and what to fix there."""
    lesson = next((lesson for lesson in course if not lesson.is_solved), None)
    if lesson is None:
        return sentences.ALL_DONE
    failing = lesson.first_failing()
    name = lesson.notebook.lesson
    what = f"{failing[0].exercise}, {failing[1].name}" if failing else lesson.rubric.learned or name
    file = shorten(lesson.notebook.path)
    return sentences.DO_NEXT.format(file=file, what=what, lesson=name)


def show_course(console: Console, folder: Path, course: Sequence[Standing] | None = None) -> None:
    """Show the bar over the course, what comes next, and which notebooks do not count."""
    course = read_standings(folder) if course is None else course
    lines = [course_bar(course), what_next(course), *find_copies(folder)]
    console.print(plain("\n".join(lines)), soft_wrap=True)


def show_checked(console: Console, lesson: Standing, seconds: float) -> None:
    """Show the cards of a lesson that was just checked."""
    console.print()
    head = sentences.CHECKED.format(file=lesson.notebook.path.name, seconds=seconds)
    console.rule(plain(head), align="left")
    for report in lesson.record.reports:
        console.print(plain(text_card(report, whole=False)), soft_wrap=True)
    if lesson.first_failing():
        line = sentences.HINT_SAYS_WHY.format(lesson=lesson.notebook.lesson)
        console.print(plain(line), soft_wrap=True)


def show_table(console: Console, course: Sequence[Standing]) -> None:
    """Show one row for each lesson."""
    table = Table(box=None, pad_edge=False)
    for column in ("", "lesson", "points", "state"):
        table.add_column(column, justify="right" if column in ("", "points") else "left")
    for lesson in course:
        failing = lesson.first_failing()
        state = "not judged here" if lesson.record.reports else ""
        if lesson.is_solved:
            state = "solved"
        elif failing:
            state = f"{failing[0].exercise}: {failing[1].name}"
        notebook, points = lesson.notebook, "".join(_points_text([lesson], " / "))
        table.add_row(*map(plain, (notebook.number, notebook.lesson, points, state)))
    console.print(table)
