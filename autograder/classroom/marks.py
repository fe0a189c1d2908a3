"""The marks of a submission: of nbgrader's grade cells, added up as nbgrader does, and what waits.

A grade cell that is worth nothing, as a defence cell is by default, is left out everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from autograder.classroom import messages
from autograder.criteria.speed.decision import SPEED
from autograder.model.exercise import ProgramExercise, speed_name
from autograder.model.graded import Graded
from autograder.model.notebook import NotebookNode, defence_name
from autograder.model.reasons import ONLY_OBSERVED
from autograder.model.report import CriterionResult, Report, Status
from autograder.model.rubric import Rubric
from autograder.render import criterion_text, remark
from autograder.sandbox import Protection

NOT_YET = "not graded yet"


@dataclass(frozen=True)
class CellMark:
    """The mark of one of nbgrader's grade cells.

    Attributes:
        name: its grade id.
        points: the mark given by hand, else the automatic one; None when there is neither.
        possible: the cell's points.
        by_hand: whether a person gave the mark.
        needs_manual_grade: nbgrader's flag: a person must give or confirm the mark.
    """

    name: str
    points: float | None
    possible: float
    by_hand: bool = False
    needs_manual_grade: bool = False


@dataclass(frozen=True)
class Totals:
    """All grade cells of a submission; `penalty` is the points taken off for lateness."""

    cells: tuple[CellMark, ...]
    penalty: float = 0.0

    @property
    def earned(self) -> float:
        """The points of all marks, less the penalty."""
        return max(0.0, sum(c.points for c in self.cells if c.points is not None) - self.penalty)

    @property
    def possible(self) -> float:
        """Points decided by now."""
        return self.max_score - self.pending

    @property
    def pending(self) -> float:
        """Points that wait for a GPU or for a person: neither earned nor lost."""
        return sum(c.possible for c in self.cells if c.points is None)

    @property
    def max_score(self) -> float:
        """What the assignment is worth, decided or not."""
        return sum(c.possible for c in self.cells)

    def mark(self) -> str:
        """Return the mark as written everywhere: ``7 / 9 (+2 pending)``."""
        more = [f"+{self.pending:g} pending"] * bool(self.pending)
        more += [f"{self.penalty:g} off for lateness"] * bool(self.penalty)
        text = f"{self.earned:g} / {self.possible:g}"
        return f"{text} ({', '.join(more)})" if more else text


# --- what a cell is worth -------------------------------------------------------------------------


def points_of_cells(rubric: Rubric) -> dict[str, float]:
    """Return the points of each grade cell that a rubric fills in, by grade id."""
    return {name: p for one in rubric.exercises for name, p in one.cell_points.items()}


def required_points(rubric: Rubric, notebook: NotebookNode, defence: float) -> dict[str, float]:
    """Return the points that the grade cells of a lesson's notebook must have, by grade id.

    Args:
        rubric: of the lesson.
        notebook: of which some have no defence cell.
        defence: what the course gives for the answers in it.
    """
    points, name = points_of_cells(rubric), defence_name(rubric.lesson)
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in notebook["cells"]]
    if name in ids and isinstance(rubric.defended, ProgramExercise):
        points[name] = defence
    return points


def points_in(notebook: NotebookNode) -> dict[str, float]:
    """Return the points of a notebook's grade cells, by grade id."""
    cells = [cell["metadata"].get("nbgrader", {}) for cell in notebook["cells"]]
    points = {c["grade_id"]: float(c.get("points") or 0) for c in cells if c.get("grade")}
    return {name: worth for name, worth in points.items() if worth}


# --- what a report gives --------------------------------------------------------------------------


def hold_back(report: Report) -> Report:
    """Return the report without the points that its source could have forged."""
    held = [
        replace(c, status=Status.PENDING, earned=0.0, reason=ONLY_OBSERVED)
        if c.evidence == "observed" and c.earned > 0
        else c
        for c in report.criteria
    ]
    return replace(report, criteria=tuple(held))


def marks_of(report: Report) -> dict[str, CellMark]:
    """Return the marks of the grade cells that a report fills in, by grade id.

    Speed has a cell of its own, which has no mark until a program has been timed on a GPU. Neither
    cell has one where a criterion waits for a person.
    """
    cells: dict[str, list[CriterionResult]] = {report.exercise: []}
    for criterion in report.criteria:
        cells.setdefault(_cell_of(report, criterion), []).append(criterion)
    marks = {}
    for name, criteria in cells.items():
        possible = sum(c.possible for c in criteria)
        points = min(possible, max(0.0, sum(c.earned for c in criteria)))
        waits = any(c.waits_for_person or (c.name == SPEED and c.is_open) for c in criteria)
        marks[name] = CellMark(name, None if waits else points, possible)
    return marks


def cells_to_decide(report: Report) -> set[str]:
    """Return the grade ids of a report's cells whose marks wait for a person."""
    return {_cell_of(report, c) for c in report.criteria if c.waits_for_person}


def _cell_of(report: Report, criterion: CriterionResult) -> str:
    return speed_name(report.exercise) if criterion.name == SPEED else report.exercise


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


# --- a submission ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """One student's result, as a class's tables and pages show it.

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
        """The reports on the exercises; none when grading itself failed."""
        return self.graded.reports if self.graded else ()

    @cached_property
    def criteria(self) -> dict[tuple[str, str], CriterionResult]:
        """All criteria, by exercise and name, in the rubric's order."""
        return {(r.exercise, c.name): c for r in self.reports for c in r.criteria}

    @property
    def is_graded(self) -> bool:
        """Whether each exercise could be graded."""
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
        """nbgrader's totals; before it has recorded the submission, those of the reports.

        Marks by hand are pending there.
        """
        if self.recorded is not None:
            return self.recorded
        cells = {name: CellMark(name, None, possible) for name, possible in self.points.items()}
        for report in self.reports:
            cells |= marks_of(report)
        return Totals(tuple(cells[name] for name in sorted(cells)))

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
        """Whether a person should review it, or mark any of its cells."""
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


def marking_tasks(outcomes: Iterable[Outcome]) -> dict[str, list[str]]:
    """Return what people must do in formgrader, each task with its students."""
    found: dict[str, list[str]] = {}
    for outcome in outcomes:
        for cell in outcome.to_mark:
            give = messages.GIVE_ELSEWHERE if cell.name in outcome.elsewhere else messages.GIVE_MARK
            text = messages.CONFIRM_MARK if cell.by_hand else give
            task = text.format(cell=cell.name, points=cell.possible)
            found.setdefault(task, []).append(outcome.student)
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


def warn_of_limits(outcomes: Iterable[Outcome]) -> list[str]:
    """Return a warning where only limits confined any of the submissions; else nothing."""
    return [messages.LIMITS_WARNING] if any(o.is_limits_only for o in outcomes) else []
