"""The evidence for a submission's criteria depends on what its source can reach."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.classroom.demo import solution_of
from autograder.core.notebook import Cell, Notebook
from autograder.core.report import Report, Status
from autograder.core.rubric_files import load_rubric
from autograder.grading.pipeline import grade_cells
from autograder.judge.client import Judge

IMPORTS = Cell("imports", "import jax\nimport jax.numpy as jnp", "")


def grade(judge: Judge, solution: str) -> Report:
    shown = Cell("shown", "import os", "show")  # not run, and so not read
    cells = (IMPORTS, Cell("solution", solution, "solution"), shown)
    notebook = Notebook("static_branch", cells)
    (report,) = grade_cells(notebook, "x.ipynb", load_rubric("static_branch"), judge).reports
    return report


def evidence(report: Report) -> dict[str, str]:
    return {c.name: c.evidence for c in report.criteria}


@pytest.mark.slow
def test_what_is_seen_beside_admitted_source_is_witnessed(judge: Judge, root: Path) -> None:
    report = grade(judge, str(solution_of(root, "ada")))
    assert report.status is Status.PASSED
    assert evidence(report) == {
        "outputs": "proved",
        "purity": "witnessed",
        "compilations": "witnessed",
    }
    assert report.not_admitted is None
    assert Report.from_json(report.to_json()) == report


def test_other_source_costs_no_points_and_is_named(judge: Judge, root: Path) -> None:
    report = grade(judge, "import os\nos.nice(0)\n" + str(solution_of(root, "ada")))
    assert report.status is Status.PASSED
    assert set(evidence(report).values()) == {"proved", "observed"}
    found = report.not_admitted
    assert found is not None
    assert (found.cell, found.line, found.code) == ("solution", 1, "import os")
    assert Report.from_json(report.to_json()) == report
