"""What a user is told about data: errors, and warnings."""

import sys
import warnings


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


class ConvergenceWarning(UserWarning):
    """A fit that ended before its steps gained less than the tolerance."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn, and show the line of the user's code that called this package."""
    frame, level = sys._getframe(1), 2
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("plnkit."):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level - 1)
