"""What a user is told about data: errors, and warnings."""

import difflib
import sys
import warnings
from collections.abc import Iterable
from typing import Any

SHOWN = 8
"""Names or levels that a message lists."""


class DataError(ValueError):
    """The counts, offsets or covariates cannot be what a PLN model is fitted to.

    Attributes:
        table: "counts", "offsets" or "covariates".
        problem: what is wrong with it.
        row: of the entry that is wrong, from 0; None where it is not about one entry.
        column: the name of its column.
    """

    def __init__(
        self, table: str, problem: str, row: int | None = None, column: str = "", at: str = ""
    ) -> None:
        super().__init__(f"{table}: {at}{problem}")
        self.table, self.problem, self.row, self.column = table, problem, row, column


class DataWarning(UserWarning):
    """Data that can be fitted, and that look as if something else was meant."""


class LayoutWarning(DataWarning):
    """A table of which the rows or the columns may be something else."""


class ConvergenceWarning(UserWarning):
    """A fit that ended before its steps gained less than the tolerance."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn, and show the line of the user's code that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("plnkit."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level - 1)


def listed(names: Iterable[Any], last: str = ", ") -> str:
    """Return the first names, and how many more there are."""
    shown = [str(name) for name in names]
    more = f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
    return last.join(shown[:SHOWN]) + more


def guess(name: str, known: Iterable[str]) -> str:
    """Return " Is it 'x'?" where a known name is like one that is not."""
    close = difflib.get_close_matches(name, list(known), 1)
    return f" Is it {close[0]!r:.60}?" if close else ""
