"""The total of a submission as nbgrader counts it: check cells, and answers that people mark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.classroom.marks import check_mark, speed_mark
from autograder.core.report import Report
from autograder.core.rubric import speed_name


@dataclass(frozen=True)
class CellMark:
    """The mark of one of nbgrader's grade cells.

    Attributes:
        name: its grade id.
        points: what counts, a mark given by hand before the automatic one; None when there is
            neither.
        possible: the cell's points.
        by_hand: whether a person gave the mark.
        asks: whether nbgrader has it as needing a person.
    """

    name: str
    points: float | None
    possible: float
    by_hand: bool = False
    asks: bool = False

    @property
    def is_settled(self) -> bool:
        """Whether a person has decided, and nothing has changed since."""
        return self.by_hand and not self.asks


@dataclass(frozen=True)
class Totals:
    """All grade cells of a submission.

    Attributes:
        cells: by grade id.
        penalty: points taken off for handing in late.
    """

    cells: tuple[CellMark, ...]
    penalty: float = 0.0

    @property
    def earned(self) -> float:
        return max(0.0, sum(c.points for c in self.cells if c.points is not None) - self.penalty)

    @property
    def possible(self) -> float:
        """Points decided by now."""
        return sum(c.possible for c in self.cells if c.points is not None)

    @property
    def pending(self) -> float:
        """Points that wait for a GPU or for a person: neither earned nor lost."""
        return sum(c.possible for c in self.cells if c.points is None)

    @property
    def max_score(self) -> float:
        """What the assignment is worth, decided or not."""
        return sum(c.possible for c in self.cells)

    def mark(self) -> str:
        """The mark as written everywhere: ``7 / 9 (+2 pending)``."""
        more = [f"+{self.pending:g} pending"] * bool(self.pending)
        more += [f"{self.penalty:g} off for lateness"] * bool(self.penalty)
        text = f"{self.earned:g} / {self.possible:g}"
        return f"{text} ({', '.join(more)})" if more else text


def automatic_totals(reports: Sequence[Report], points: Mapping[str, float]) -> Totals:
    """The totals of a submission that no gradebook holds: what people mark is pending.

    Args:
        reports: one an exercise.
        points: of all grade cells of the lesson, by grade id.
    """
    cells = {name: CellMark(name, None, possible) for name, possible in points.items()}
    for report in reports:
        check = check_mark(report)
        cells[report.exercise] = CellMark(report.exercise, check.points, check.possible)
        if any(c.name == "speed" for c in report.criteria):
            name, speed = speed_name(report.exercise), speed_mark(report)
            cells[name] = CellMark(name, speed.points, speed.possible)
    return Totals(tuple(cells[name] for name in sorted(cells)))
