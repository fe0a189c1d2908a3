"""The marks of a submission's grade cells, and their total as nbgrader counts it."""

from __future__ import annotations

from dataclasses import dataclass


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
        """Return the mark as written everywhere: ``7 / 9 (+2 pending)``."""
        more = [f"+{self.pending:g} pending"] * bool(self.pending)
        more += [f"{self.penalty:g} off for lateness"] * bool(self.penalty)
        text = f"{self.earned:g} / {self.possible:g}"
        return f"{text} ({', '.join(more)})" if more else text
