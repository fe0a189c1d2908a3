"""Which cells were there when the student checked, where cells below bind a name again.

A notebook that is run from the top is checked where the check cell stands. The grader judges what
all cells leave, since a function counts in any cell. A cell below the check that uses a function's
name for a result, or changes a constant, must not undo what was right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.core.cell_names import names_made
from autograder.core.notebook import Cell


def cells_when_checked(
    cells: Sequence[Cell], run: Sequence[Cell], exercise: str
) -> tuple[Cell, ...] | None:
    """Return the cells that had run at the last check of an exercise.

    Args:
        cells: of the notebook, in order.
        run: those of them that were run.
        exercise: its name; it did not pass with them.

    Returns:
        None where the cells below bind no name of those above again.
    """
    call = re.compile(rf"""\bcheck\(\s*["']{re.escape(exercise)}["']""")
    checks = [i for i, cell in enumerate(cells) if _is_check(cell, exercise, call)]
    if not checks:
        return None
    above = cells[: checks[-1] + 1]
    below = [cell for cell in run if cell not in above and cell.role != "check"]
    kept = tuple(cell for cell in run if cell in above)
    again = set().union(*(names_made(cell.source, imports=False) for cell in below))
    before = set().union(*(names_made(cell.source) for cell in kept))
    return kept if again & before else None


def _is_check(cell: Cell, exercise: str, call: re.Pattern[str]) -> bool:
    return cell.id == exercise or call.search(cell.source) is not None
