"""What a lesson's page shows of its notebook."""

from __future__ import annotations

import pytest

from plnkit.tests.needs import reason_without

pytest.importorskip("nbclient", reason=reason_without("nbclient", "instructor"))

from autograder.lessons.site.course_run import run_shown
from autograder.model.notebook import KIT_METADATA, nbformat


@pytest.mark.gate
def test_cells_run_whatever_fails() -> None:
    v4 = nbformat.v4
    cells = [v4.new_code_cell("1 / 0"), v4.new_code_cell("2 + 1")]
    shown = run_shown(v4.new_notebook(cells=cells), "some.ipynb")
    outputs = [cell["outputs"] for cell in shown["cells"]]
    assert outputs[0][0]["ename"] == "ZeroDivisionError"
    assert outputs[1][0]["data"]["text/plain"] == "3"


CHECKS = {
    "exercise": {"nbgrader": {"grade": True, "solution": False, "grade_id": "f"}},
    "drill": {KIT_METADATA: {"drill": "check"}},
}


@pytest.mark.gate
@pytest.mark.parametrize("mark", CHECKS.values(), ids=CHECKS)
def test_checks_are_left_to_the_reader(mark) -> None:
    v4 = nbformat.v4
    cells = [v4.new_code_cell("1 / 0", metadata=mark), v4.new_code_cell("2 + 1")]
    check, demo = run_shown(v4.new_notebook(cells=cells), "some.ipynb")["cells"]
    assert check["outputs"] == [] and check["metadata"] == mark
    assert demo["outputs"][0]["data"]["text/plain"] == "3"
