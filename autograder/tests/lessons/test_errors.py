"""The index of error messages."""

from __future__ import annotations

from autograder.lessons.exercises import write_index
from autograder.model.error_table import ERRORS


def test_index_links_to_the_notebooks_of_the_course():
    text = write_index({"tracing": "01_tracing.ipynb"})
    assert "[tracing](01_tracing.ipynb)" in text and "static_branch]" not in text


def test_a_row_has_three_cells():
    rows = [line for line in write_index({}).splitlines() if line.startswith("| **")]
    assert len(rows) == sum(len(entry.listed) for entry in ERRORS.values())
    assert all(row.replace(r"\|", "").count("|") == 4 for row in rows)
