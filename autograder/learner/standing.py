"""What a learner has reached in each lesson, and in the whole course."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.core.report import CriterionResult, Report, Status
from autograder.core.rubric import Rubric
from autograder.learner import sentences
from autograder.learner.folder import LessonNotebook, find_notebooks, shorten
from autograder.learner.notebook_record import Record, read_record

BAR_WIDTH = 32


@dataclass(frozen=True)
class Standing:
    """The state of one lesson when it was last checked."""

    notebook: LessonNotebook
    rubric: Rubric
    record: Record

    @property
    def is_solved(self) -> bool:
        return self.record.all_passed

    @property
    def is_begun(self) -> bool:
        return bool(self.record.reports)

    @property
    def earned(self) -> float:
        return sum(report.earned for report in self.record.reports)

    @property
    def possible(self) -> float:
        """Points that can be decided here; before the first check, all but those for speed."""
        if self.is_begun:
            return sum(report.possible for report in self.record.reports)
        exercises = self.rubric.exercises
        return sum(p for e in exercises for name, p in e.points.items() if name != "speed")

    @property
    def pending(self) -> float:
        if self.is_begun:
            return sum(report.pending for report in self.record.reports)
        return sum(e.points.get("speed", 0) for e in self.rubric.exercises)

    def first_failing(self) -> tuple[Report, CriterionResult] | None:
        """Return the criterion to fix first; None when all passed or nothing was checked."""
        for report in self.record.reports:
            for criterion in report.criteria:
                is_waiting = criterion.is_open and not criterion.failed_by_kit
                if criterion.status is not Status.PASSED and not is_waiting:
                    return report, criterion
        return None


def read_standing(notebook: LessonNotebook) -> Standing:
    return Standing(notebook, notebook.rubric(), read_record(notebook.path))


def check_lesson(notebook: LessonNotebook) -> Standing:
    """Check a notebook if it has changed, and return its lesson's standing."""
    from autograder.learner.checking import check_notebook  # it imports JAX, this module does not

    rubric = notebook.rubric()
    return Standing(notebook, rubric, check_notebook(notebook.path, rubric))


def read_standings(folder: Path) -> list[Standing]:
    """Return all lessons of a folder in course order; nothing is run."""
    return [read_standing(notebook) for notebook in find_notebooks(folder)]


def course_bar(course: Sequence[Standing]) -> str:
    """Return ``██░░  7 of 16 lessons, 41 of 88 points (+3 pending)``; full when all is done."""
    earned = sum(s.earned for s in course)
    possible = sum(s.possible for s in course)
    pending = sum(s.pending for s in course)
    filled = int(BAR_WIDTH * earned / possible) if possible else 0
    bar = "█" * filled + "░" * (BAR_WIDTH - filled)
    solved = sum(s.is_solved for s in course)
    text = f"{bar}  {solved} of {len(course)} lessons, {earned:g} of {possible:g} points"
    return f"{text} (+{pending:g} pending)" if pending else text


def what_next(course: Sequence[Standing]) -> str:
    """Return one sentence: the first lesson that is not solved, and what to fix there."""
    lesson = next((lesson for lesson in course if not lesson.is_solved), None)
    if lesson is None:
        return sentences.ALL_DONE
    failing = lesson.first_failing()
    what = f"{failing[0].exercise}, {failing[1].name}" if failing else lesson.rubric.learned
    name = lesson.notebook.lesson
    return sentences.DO_NEXT.format(
        file=shorten(lesson.notebook.path), what=what or name, lesson=name
    )
