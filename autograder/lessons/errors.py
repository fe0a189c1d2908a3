"""The index of error messages: what JAX says, why, and the lessons that teach the repair.

`exercises/ERRORS.md` is generated from the table of errors, `autograder/model/errors.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.model.error_table import ERRORS


def write_index(notebooks: Mapping[str, str]) -> str:
    """Return the text of `exercises/ERRORS.md`.

    Args:
        notebooks: the file names of the course's lessons, by lesson.
    """
    listed = [row for entry in ERRORS.values() for row in entry.listed]
    rows = []
    for row in sorted(listed, key=lambda row: (row.error, row.says)):
        links = [f"[{name}]({notebooks[name]})" for name in row.lessons if name in notebooks]
        message = f"**{row.error}**: `{row.says}`"
        if row.newer:
            message += f" (a newer JAX says `{row.newer}`)"
        cause = row.cause.replace("|", r"\|")  # it would end the cell of the table
        rows.append(f"| {message} | {cause} | {', '.join(links)} |")
    text = Path(__file__).with_name("errors.md").read_text(encoding="utf-8")
    return text.replace("{rows}", "\n".join(rows))
