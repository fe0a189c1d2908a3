"""The result of one student's submission, as a class's tables and pages show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from autograder.classroom import messages
from autograder.classroom.marks import CellMark, Totals, automatic_totals, cells_to_decide
from autograder.model.exercise import speed_name
from autograder.model.graded import Graded
from autograder.model.report import CriterionResult, Report, Status
from autograder.render import criterion_text, remark
from autograder.sandbox import Protection

NOT_YET = "not graded yet"


@dataclass(frozen=True)
class Outcome:
    """One student's result.

    Attributes:
        student: nbgrader's student id.
        graded: reports and programs; None when grading itself failed.
        review: why a person should review this submission.
        fresh: whether it was graded now, or taken from the store.
        why: what to do where there are no reports yet.
        points: of all grade cells of the lesson, by grade id; the reports' own by default.
        elsewhere: grade ids of cells whose answer in words may stand in another cell.
        recorded: the marks of all grade cells in the gradebook; None when it holds none.
        doubts: those of `review` that a person settles by marking: why it is not certain which of
            the student's files counts.
    """

    student: str
    graded: Graded | None
    review: tuple[str, ...] = ()
    fresh: bool = True
    why: str = ""
    points: Mapping[str, float] = field(default_factory=dict)
    elsewhere: frozenset[str] = frozenset()
    recorded: Totals | None = None
    doubts: tuple[str, ...] = ()

    @property
    def reports(self) -> Sequence[Report]:
        return self.graded.reports if self.graded else ()

    @cached_property
    def criteria(self) -> dict[tuple[str, str], CriterionResult]:
        """All criteria, by exercise and name, in the rubric's order."""
        return {(r.exercise, c.name): c for r in self.reports for c in r.criteria}

    @property
    def is_graded(self) -> bool:
        return bool(self.reports) and all(r.status is not Status.NOT_GRADED for r in self.reports)

    @property
    def is_limits_only(self) -> bool:
        """Whether the submission ran where nothing but limits confined it."""
        return self.graded is not None and self.graded.confined_by == Protection.LIMITS

    @property
    def has_mark(self) -> bool:
        """Whether anything could be graded; where nothing could, 0 points would be wrong."""
        by_hand = any(c.by_hand for c in self.totals.cells if c.name in self._checked)
        return by_hand or any(r.status is not Status.NOT_GRADED for r in self.reports)

    @cached_property
    def totals(self) -> Totals:
        """nbgrader's totals; before it has recorded the submission, those of the reports."""
        return self.recorded or automatic_totals(self.reports, self.points)

    @property
    def answers(self) -> tuple[CellMark, ...]:
        """The grade cells without a report: answers in words, for a person to mark."""
        if not self.reports:
            return ()
        return tuple(c for c in self.totals.cells if c.name not in self._checked)

    @property
    def waiting(self) -> tuple[CellMark, ...]:
        """The grade cells that wait for a person: to give their marks, or to confirm them."""
        undecided = {name for report in self.reports for name in cells_to_decide(report)}
        on_gpu = self._checked - undecided
        cells = [c for c in self.totals.cells if c.needs_manual_grade]
        return tuple(c for c in cells if c.by_hand or c.name not in on_gpu)

    @property
    def to_mark(self) -> tuple[CellMark, ...]:
        """Those that wait for a person, and for which `review` does not say why."""
        return tuple(c for c in self.waiting if c.by_hand or c.name not in self._checked)

    @property
    def needs_review(self) -> bool:
        return bool(self.review or self.to_mark)

    @cached_property
    def _checked(self) -> set[str]:
        """Grade ids of the cells that the reports fill in."""
        names = [report.exercise for report in self.reports]
        return {*names, *map(speed_name, names)}

    def with_recorded(self, recorded: Totals | None) -> Outcome:
        """Return the outcome with the gradebook's marks; what they settle needs no review."""
        if recorded is None:
            return self
        settled = {c.name for c in recorded.cells if c.by_hand and not c.needs_manual_grade}
        decided = [r for r in self.reports if set() < cells_to_decide(r) <= settled]
        done = reasons_to_review(decided)
        if self.reports and settled >= {report.exercise for report in self.reports}:
            done += self.doubts
        review = tuple(reason for reason in self.review if reason not in done)
        return replace(self, review=review, recorded=recorded)

    def mark(self) -> str:
        """Return the mark of all grade cells: ``7 / 9 (+2 pending)``, or why there is none."""
        if not self.reports:
            return f"{NOT_YET}: {self.why}" if self.why else NOT_YET
        return self.totals.mark() if self.has_mark else why_not_graded(self.reports[0])


def why_not_graded(report: Report) -> str:
    """Return the reason why a report has no mark, in words."""
    return next(remark(c) for c in report.criteria if c.status is Status.NOT_GRADED)


def reasons_to_review(reports: Sequence[Report]) -> list[str]:
    """Return why a person should review a submission with these reports."""
    reasons = {
        f"{report.exercise}: {remark(criterion)}"
        for report in reports
        for criterion in report.criteria
        if criterion.waits_for_person
    }
    unread = {
        f"{report.exercise}: {report.unproved.reason}"
        for report in reports
        if report.unproved is not None and report.unproved.is_unread
    }
    return sorted(reasons | unread)


def marking_task(outcome: Outcome, cell: CellMark) -> str:
    """Return what a person must do about a cell of a submission, in a sentence."""
    give = messages.GIVE_ELSEWHERE if cell.name in outcome.elsewhere else messages.GIVE_MARK
    text = messages.CONFIRM_MARK if cell.by_hand else give
    return text.format(cell=cell.name, points=cell.possible)


def marking_tasks(outcomes: Sequence[Outcome]) -> dict[str, list[str]]:
    """Return what people must do in formgrader, each task with its students."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        for cell in outcome.to_mark:
            found.setdefault(marking_task(outcome, cell), []).append(outcome.student)
    return dict(sorted(found.items()))


def make_showable(outcome: Outcome) -> Outcome:
    """Replace an outcome that cannot be shown, so that all others still are."""
    try:
        for criterion in outcome.criteria.values():
            criterion_text(criterion)
        for report in outcome.reports:
            report.mark()
        outcome.mark()
    except Exception as error:  # a report may hold anything
        return not_showable(outcome.student, error)
    return outcome


def not_showable(student: str, error: Exception) -> Outcome:
    """Return what is shown in place of a result."""
    text = messages.NOT_SHOWN.format(error=type(error).__name__)
    return Outcome(student, None, (text,), fresh=False, why=text)
