"""What runs for an exercise, what its source proves, and what the marks stand on."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom.demo import solution_of
from autograder.grading.pipeline import grade_notebook
from autograder.grading.plan import plan_attempts
from autograder.judge.client import Judge
from autograder.lessons.verification.cases import CaseText
from autograder.model.figures import Timeline
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Report, Status
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox import Attempt
from autograder.source import plan
from autograder.tests.helpers.corpus import corpus_cases, read_head

IMPORTS = Cell("imports", "import jax\nimport jax.numpy as jnp", "")
CHECK = Cell("static_branch", 'check("static_branch")', "check")
RUBRIC = load_rubric("static_branch")


@pytest.fixture(scope="module")
def right(root: Path) -> str:
    return str(solution_of(root, "ada"))


def grade(judge: Judge, *cells: Cell) -> Report:
    notebook = Notebook("static_branch", (IMPORTS, *cells))
    (report,) = grade_notebook(notebook, "x.ipynb", Terms(RUBRIC, judge)).reports
    return report


def planned(*cells: Cell) -> Attempt:
    (attempt,) = plan_attempts(Notebook("static_branch", cells), RUBRIC)
    return attempt


def evidence(report: Report) -> dict[str, str]:
    return {c.name: c.evidence for c in report.criteria}


def test_what_is_proved_runs_alone(right: str) -> None:
    shown = Cell("shown", "import os\nprint(os.name)\n1 / 0", "show")
    cells = (IMPORTS, shown, Cell("solution", f"x = 3\n{right}\nprint(x)", "solution"), CHECK)
    attempt = planned(*cells)
    assert attempt.is_proved and not attempt.fallback
    assert [cell.id for cell in attempt.cells] == ["imports", "solution"]
    solution = attempt.cells[1]
    assert solution.source == cells[2].source  # so that lines keep their numbers
    assert solution.only is not None and 0 not in solution.only


@pytest.mark.slow
def test_what_is_proved_is_not_observed(judge: Judge, right: str) -> None:
    shown = Cell("shown", "import os\n1 / 0", "show")
    report = grade(judge, shown, Cell("solution", right, "solution"))
    assert report.status is Status.PASSED
    assert evidence(report) == dict.fromkeys(("outputs", "purity", "compilations"), "proved")
    assert report.unproved is None
    timeline = report.criterion("compilations").figure
    assert isinstance(timeline, Timeline) and timeline.repeats > 0
    assert Report.from_json(report.to_json()) == report


@pytest.mark.slow
def test_other_source_costs_no_points_and_is_named(judge: Judge, right: str) -> None:
    used = right.replace("    if ", "    os.path.basename('x')\n    if ", 1)
    report = grade(judge, Cell("solution", "import os\n" + used, "solution"))
    assert report.status is Status.PASSED
    assert evidence(report) == {
        "outputs": "proved",
        "purity": "observed",
        "compilations": "observed",
    }
    found = report.unproved
    assert found is not None
    assert (found.cell, found.line, found.code) == ("solution", 1, "import os")
    assert found.reason == "`os` is not known to compute only."
    assert Report.from_json(report.to_json()) == report


BELOW = {
    "a result": "box_cox = 3.0",
    "another import": "jnp = None",
    "something wrong": "def box_cox(counts, power):\n    return counts",
}


@pytest.mark.parametrize("below", BELOW)
def test_what_cells_below_the_check_bind_does_not_count(below: str, right: str) -> None:
    cells = (IMPORTS, Cell("solution", right, "solution"), CHECK)
    attempt = planned(*cells, Cell("below", BELOW[below], ""))
    assert attempt.cells == planned(*cells).cells


@pytest.mark.slow
def test_a_function_counts_in_any_cell(judge: Judge, right: str) -> None:
    wrong = Cell("solution", "@jax.jit\ndef box_cox(counts, power):\n    return counts", "solution")
    assert grade(judge, CHECK, Cell("below", right, "")).status is Status.PASSED
    assert grade(judge, wrong, CHECK).status is not Status.PASSED
    report = grade(judge, wrong, CHECK, Cell("below", right, ""))
    assert report.status is Status.PASSED


@pytest.mark.slow
def test_a_slice_that_needs_more_than_it_holds_keeps_its_marks(judge: Judge, right: str) -> None:
    """A table that a call fills, which is no part of the slice."""
    head = "SHIFT = [0.0]\n\ndef put(table):\n    table[0] = 1.0\n\nput(SHIFT)\n"
    shifted = head + right.replace("1.0", "SHIFT[0]").replace("+ 1)", "+ SHIFT[0])")
    report = grade(judge, Cell("solution", shifted, "solution"), CHECK)
    assert report.status is Status.PASSED


GRADED = "import jax\n@jax.jit\ndef graded(x):\n    return 2 * x"


STYLES = corpus_cases("students_cells", "students_cells_held_out")
"""Cells as students write them; what stands above the first of a file is given to each."""
SETTINGS = {"x64", "jax_config_settings", "jax_config_import"}
"""Cells that change what JAX does with every function."""


@pytest.mark.parametrize("style", STYLES, ids=lambda case: case.name)
def test_what_stands_beside_a_function_does_not_matter(style: CaseText) -> None:
    sources = (read_head(style.path), style.text, GRADED)
    cells = [Cell(str(i), text, "") for i, text in enumerate(sources)]
    (run,) = plan(cells, {"graded": ("graded",)})
    assert (run.unproved is not None) == (style.name in SETTINGS), run.unproved
