"""What became of one student's submission."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from autograder.classroom import messages
from autograder.classroom.marks import NEEDS_A_LOOK
from autograder.classroom.totals import CellMark, Totals, automatic_totals
from autograder.core.report import Report, Status
from autograder.core.rubric import speed_name
from autograder.grading.store import Graded


@dataclass(frozen=True)
class Outcome:
    """One student's result.

    Attributes:
        student: as nbgrader knows them.
        graded: reports and programs; None when grading itself failed.
        look: why a person should look at this submission.
        fresh: whether it was graded now, or taken from the store.
        why: what to do where there are no reports yet.
        points: of all grade cells of the lesson, by grade id; the reports' own by default.
        recorded: the marks of all grade cells in the gradebook; None when it holds none.
    """

    student: str
    graded: Graded | None
    look: tuple[str, ...] = ()
    fresh: bool = True
    why: str = ""
    points: Mapping[str, float] = field(default_factory=dict)
    recorded: Totals | None = None

    @property
    def reports(self) -> Sequence[Report]:
        return self.graded.reports if self.graded else ()

    @property
    def is_graded(self) -> bool:
        return bool(self.reports) and all(r.status is not Status.NOT_GRADED for r in self.reports)

    @property
    def has_mark(self) -> bool:
        """Whether anything at all could be graded; where not, 0 points would be a wrong word."""
        by_hand = any(c.by_hand for c in self.totals.cells if c.name in self._checked)
        return by_hand or any(r.status is not Status.NOT_GRADED for r in self.reports)

    @cached_property
    def totals(self) -> Totals:
        """nbgrader's; before it has recorded the submission, those of the reports."""
        return self.recorded or automatic_totals(self.reports, self.points)

    @property
    def answers(self) -> tuple[CellMark, ...]:
        """The grade cells that no report speaks of: answers in words, for a person to mark."""
        return tuple(c for c in self.totals.cells if c.name not in self._checked)

    @property
    def waiting(self) -> tuple[CellMark, ...]:
        """The grade cells that need a mark by hand, or another look at one."""
        return tuple(c for c in self.totals.cells if c.asks and self._is_for_a_person(c))

    @property
    def needs_person(self) -> bool:
        return bool(self.look or self.waiting)

    @cached_property
    def _checked(self) -> set[str]:
        """Grade ids of the cells that the reports fill in."""
        names = [report.exercise for report in self.reports]
        return {*names, *map(speed_name, names)}

    def _is_for_a_person(self, cell: CellMark) -> bool:
        # What a check cell waits for is a GPU, or stands in `look` already.
        return cell.by_hand or cell.name not in self._checked

    def with_recorded(self, recorded: Totals | None) -> Outcome:
        """The outcome with the gradebook's marks; what a person has settled needs no more look."""
        if recorded is None:
            return self
        settled = {cell.name for cell in recorded.cells if cell.is_settled}
        done = _reasons([report for report in self.reports if report.exercise in settled])
        look = tuple(reason for reason in self.look if reason not in done)
        return replace(self, look=look, recorded=recorded)

    def mark(self) -> str:
        """The marks of all grade cells together: ``7 / 9 (+2 pending)``, or why there are none."""
        if not self.reports:
            return f"not graded: {self.why}" if self.why else "not graded"
        if not self.has_mark:
            return f"not graded: {self.reports[0].criteria[0].reason}"
        return self.totals.mark()


def reasons_to_look(graded: Graded) -> tuple[str, ...]:
    """What in the reports asks for a person."""
    return tuple(sorted(_reasons(graded.reports)))


def _reasons(reports: Sequence[Report]) -> set[str]:
    return {
        f"{report.exercise}: {criterion.reason}"
        for report in reports
        for criterion in report.criteria
        if criterion.reason in NEEDS_A_LOOK
        or (report.status is Status.NOT_GRADED and criterion.reason and criterion.findings)
    }


def says_what(cell: CellMark) -> str:
    """What a person is to do about a cell, in a sentence."""
    text = messages.MARK_AGAIN if cell.by_hand else messages.TO_MARK
    return text.format(cell=cell.name, points=cell.possible)


def to_mark(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """What people are to mark, each with the students it is about."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        for cell in outcome.waiting:
            found.setdefault(says_what(cell), []).append(outcome.student)
    return dict(sorted(found.items()))
