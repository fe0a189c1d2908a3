"""A cell below the check that binds a name again costs nothing: a kernel has checked before it."""

from __future__ import annotations

import pytest

from autograder.core.notebook import Cell, Notebook
from autograder.core.report import Status
from autograder.core.rubric_files import load_rubric
from autograder.grading.pipeline import grade_cells
from autograder.grading.rebound import cells_when_checked

RUBRIC = load_rubric("static_branch")
IMPORTS = "from functools import partial\nimport jax\nimport jax.numpy as jnp\n"
RIGHT = """\
shift = 1
@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + shift)
    return ((counts + shift) ** power - 1) / power
"""


def notebook(*below: str) -> Notebook:
    cells = [Cell("a", IMPORTS, ""), Cell("b", RIGHT, "solution")]
    cells += [Cell("static_branch", 'check("static_branch")', "check")]
    return Notebook("static_branch", (*cells, *(Cell(f"c{i}", s, "") for i, s in enumerate(below))))


def kept(*below: str) -> list[str] | None:
    cells = notebook(*below).cells
    found = cells_when_checked(cells, cells, RUBRIC.exercises[0].name)
    return None if found is None else [cell.id for cell in found]


@pytest.mark.parametrize(
    ("below", "ids"),
    [
        ((), None),
        (("total = box_cox(1.0, 2)",), None),
        (("import jax",), None),
        (("box_cox = box_cox(1.0, 2)",), ["a", "b", "static_branch"]),
        (("shift = 2",), ["a", "b", "static_branch"]),
        (("def box_cox(", "shift = 2"), ["a", "b", "static_branch"]),
        (("shift = 2", 'check("static_branch")'), None),
        (
            ("shift = 2", "score = check('static_branch')", "jnp = 3"),
            [*"ab", "static_branch", "c0", "c1"],
        ),
    ],
)
def test_the_cells_that_had_run_at_the_last_check(below, ids):
    assert kept(*below) == ids


@pytest.mark.slow
@pytest.mark.parametrize("below", ["box_cox = box_cox(jnp.ones(3), 2)", "shift = 5", "jnp = None"])
def test_a_name_that_is_bound_again_below_costs_nothing(below, judge):
    (report,) = grade_cells(notebook(below), "x.ipynb", RUBRIC, judge).reports
    assert report.status is Status.PASSED


@pytest.mark.slow
def test_a_function_below_the_check_counts_too(judge):
    cells = notebook(RIGHT).cells
    cells = tuple(Cell(c.id, "box_cox = 3", c.role) if c.id == "b" else c for c in cells)
    (report,) = grade_cells(Notebook("static_branch", cells), "x.ipynb", RUBRIC, judge).reports
    assert report.status is Status.PASSED
