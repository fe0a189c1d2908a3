"""`check()` in a real Jupyter kernel, and in a plain script."""

import subprocess
import sys

import nbformat
import pytest
from nbclient import NotebookClient

from autograder.model.report import Report
from autograder.render.score import REPORT_MIME


def run_all(path):
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return notebook


def check_outputs(notebook):
    check, defence = (
        cell["outputs"]
        for cell in notebook["cells"]
        if cell["cell_type"] == "code" and cell["metadata"].get("nbgrader", {}).get("grade")
    )
    (output,) = defence
    return check, output["text"]


@pytest.mark.slow
@pytest.mark.ordinary_user
@pytest.mark.parametrize("lesson", ["static_branch"])
@pytest.mark.parametrize("solved", [False, True])
def test_lessons_run_top_to_bottom_in_a_kernel(write_notebook, lesson, solved):
    outputs, asked = check_outputs(run_all(write_notebook(lesson, solved or None)))
    (result,) = outputs  # one result, and nothing on stderr, which nbgrader would mark with 0
    assert result["output_type"] == "execute_result"
    report = Report.from_json(result["data"][REPORT_MIME])
    assert report.earned == (report.possible if solved else 0)
    assert result["data"]["text/plain"] == repr(report.earned)
    assert report.mark() in result["data"]["text/html"]
    assert asked.startswith("Your program" if solved else f'Run `check("{lesson}")` first.')
    assert f'defend("{lesson}", program="' in asked or not solved


@pytest.mark.slow
def test_a_judge_gets_ready_while_the_notebook_is_read():
    running = "import psutil; [p.cmdline() for p in psutil.Process().children()]"
    cells = ["from autograder import check", running]
    notebook = nbformat.v4.new_notebook(cells=list(map(nbformat.v4.new_code_cell, cells)))
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    (found,) = notebook.cells[1]["outputs"]
    assert "autograder.judge.child" in found["data"]["text/plain"]
    assert "autograder.grading.apart_process" in found["data"]["text/plain"]


SCRIPT = """
import jax, jax.numpy as jnp
from autograder import check
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
print(check("static_reshape"))
"""


@pytest.mark.slow
def test_in_a_script(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(SCRIPT)
    done = subprocess.run([sys.executable, file], capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout.startswith("✓ static_reshape  9 / 9")


@pytest.mark.slow
def test_misspelt_exercise(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("from autograder import check\ncheck('static_brunch')\n")
    done = subprocess.run([sys.executable, file], capture_output=True, text=True)
    assert "there is no exercise 'static_brunch'. Check the spelling" in done.stderr


def test_inside_a_function_of_another_namespace():
    from autograder.learner.kernel import check

    with pytest.raises(RuntimeError, match="top level of a notebook cell"):
        exec("check('static_branch')", {"check": check, "__name__": "nowhere"})


AWAITED = """\
import asyncio
from functools import partial

await asyncio.sleep(0)
names = set()


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    return jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power


score = check("static_branch")
score"""


@pytest.mark.slow
def test_a_check_beside_a_top_level_await_and_below_a_cell_that_failed():
    """What a file holds is compiled again by the check, as a cell and not as a script."""
    failing = (
        AWAITED.replace("+ 1)", "+ shift)")
        .replace("score = check", "print(check")
        .replace('")\nscore', '"))')
    )
    imports = "from autograder import check\nimport jax\nimport jax.numpy as jnp"
    sources = (imports, AWAITED, "# a comment\nshift = 1 / 0", failing)
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True).execute()
    (result,) = cells[1]["outputs"]
    assert result["data"]["text/plain"] == "9.0"
    (printed,) = cells[3]["outputs"]
    assert "line 2: shift = 1 / 0\n" in printed["text"]
    assert "ZeroDivisionError: division by zero" in printed["text"]
    assert "The cell with this line fails first. So `shift`" in printed["text"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("failing", "evidence"),
    [
        ("1 / 0", "proved"),
        ("def box_cox(): pass\n1 / 0", "proved"),
        ("jnp = jnp\n1 / 0", "observed"),
    ],
)
def test_a_cell_that_fails_and_is_not_needed_leaves_the_proof(failing, evidence):
    imports = "import asyncio\nfrom autograder import check\nimport jax\nimport jax.numpy as jnp"
    shown = "{c.evidence for c in score.report.criteria}"
    sources = (imports, failing, AWAITED, shown)
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=300, kernel_name="python3", allow_errors=True).execute()
    (result,) = cells[3]["outputs"]
    assert (evidence == "proved") is (result["data"]["text/plain"] == "{'proved'}")
