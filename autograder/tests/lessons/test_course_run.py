"""What a lesson's page shows of its notebook."""

from __future__ import annotations

import pytest

from plnkit.tests.needs import reason_without

pytest.importorskip("nbclient", reason=reason_without("nbclient", "instructor"))

from autograder.lessons.site.course_run import run_notebook
from autograder.model.notebook import KIT_METADATA, nbformat


@pytest.mark.gate
def test_cells_run_whatever_fails_but_for_checks_of_drills() -> None:
    v4 = nbformat.v4
    drill = {KIT_METADATA: {"drill": "check"}}
    cells = [v4.new_code_cell("1 / 0"), v4.new_code_cell("2 + 1")]
    cells += [v4.new_code_cell("2 + 2", metadata=drill), v4.new_code_cell("2 + 3")]
    shown = run_notebook(v4.new_notebook(cells=cells), "some.ipynb")
    outputs = [cell["outputs"] for cell in shown["cells"]]
    assert outputs[0][0]["ename"] == "ZeroDivisionError"
    assert [out[0]["data"]["text/plain"] for out in (outputs[1], outputs[3])] == ["3", "5"]
    assert outputs[2] == []
