"""What a learner has reached: lesson by lesson, and as one line over the whole course."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.core.report import CriterionResult, Report, Status
from autograder.core.rubric import Rubric
from autograder.learner import sentences
from autograder.learner.folder import LessonNotebook, notebooks
from autograder.learner.records import Record, read_record

BAR_WIDTH = 32


@dataclass(frozen=True)
class Standing:
    """One lesson, as it was when it was last checked."""

    notebook: LessonNotebook
    rubric: Rubric
    record: Record

    @property
    def solved(self) -> bool:
        return self.record.holds

    @property
    def begun(self) -> bool:
        return bool(self.record.reports)

    @property
    def earned(self) -> float:
        return sum(report.earned for report in self.record.reports)

    @property
    def possible(self) -> float:
        """Points that can be decided here; speed waits for a GPU until a check says otherwise."""
        if self.begun:
            return sum(report.possible for report in self.record.reports)
        return self._points(speed=False)

    @property
    def pending(self) -> float:
        if self.begun:
            return sum(report.pending for report in self.record.reports)
        return self._points(speed=True)

    def _points(self, *, speed: bool) -> float:
        exercises = self.rubric.exercises
        return sum(p for e in exercises for c, p in e.points.items() if (c == "speed") is speed)

    def first_failing(self) -> tuple[Report, CriterionResult] | None:
        """The criterion to mend first; None when everything holds or nothing was checked."""
        for report in self.record.reports:
            for criterion in report.criteria:
                waits = criterion.is_open and not criterion.failed_by_kit
                if criterion.status is not Status.PASSED and not waits:
                    return report, criterion
        return None


def standing(notebook: LessonNotebook) -> Standing:
    return Standing(notebook, notebook.rubric(), read_record(notebook.path))


def standings(folder: Path) -> list[Standing]:
    """All lessons of a folder in course order; nothing is run."""
    return [standing(notebook) for notebook in notebooks(folder)]


def bar(done: float, whole: float, width: int = BAR_WIDTH) -> str:
    """A bar of text; full only when all is done."""
    filled = int(width * done / whole) if whole else 0
    return "█" * filled + "░" * (width - filled)


def headline(course: Sequence[Standing]) -> str:
    """As in: ``7 of 16 lessons, 41 of 88 points (+3 pending)``."""
    solved = sum(s.solved for s in course)
    earned, possible, pending = (
        sum(getattr(s, name) for s in course) for name in ("earned", "possible", "pending")
    )
    text = f"{solved} of {len(course)} lessons, {earned:g} of {possible:g} points"
    return f"{text} (+{pending:g} pending)" if pending else text


def course_bar(course: Sequence[Standing]) -> str:
    """The bar over the whole course with its headline."""
    done, whole = sum(s.earned for s in course), sum(s.possible for s in course)
    return f"{bar(done, whole)}  {headline(course)}"


def what_next(course: Sequence[Standing], relative_to: Path) -> str:
    """One sentence: the first lesson that is not solved, and what to mend there."""
    for lesson in course:
        if lesson.solved:
            continue
        failing = lesson.first_failing()
        what = f"{failing[0].exercise}, {failing[1].name}" if failing else lesson.rubric.learned
        path = lesson.notebook.path
        file = path.relative_to(relative_to) if path.is_relative_to(relative_to) else path
        name = lesson.notebook.lesson
        return sentences.DO_NEXT.format(file=file, what=what or name, lesson=name)
    return sentences.ALL_DONE
