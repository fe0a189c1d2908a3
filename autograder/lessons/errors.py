"""The index of error messages: what JAX says, why, and the lessons that teach the repair.

`exercises/ERRORS.md` is generated from the table of errors, `autograder/model/errors.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping

from autograder.lessons.layouts import fill_in_page
from autograder.model.error_table import ERRORS


def write_index(notebooks: Mapping[str, str]) -> str:
    """Return the text of `exercises/ERRORS.md`.

    Args:
        notebooks: the file names of the course's lessons, by lesson.
    """
    listed = [row for entry in ERRORS.values() for row in entry.listed]
    rows = sorted(listed, key=lambda row: (row.error, row.says))
    return fill_in_page("errors.md", rows=rows, notebooks=notebooks)
