"""An instructor's own exercise, as the page for authors shows it: what runs is the page's text."""

import re
import subprocess
import sys

import pytest

from autograder.grading.pipeline import grade_notebook
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Status
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms


@pytest.fixture(scope="module")
def blocks(root):
    text = (root / "autograder/docs/rubric-authors.md").read_text()
    section = text[text.index("## An exercise of your own") :]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)[:2]


@pytest.fixture
def rubric(blocks, tmp_path):
    file = tmp_path / "softplus.py"
    file.write_text(blocks[0])
    return file


def test_it_is_fifteen_lines(blocks):
    code = [line for line in blocks[0].splitlines() if line.strip()]
    assert len(code) <= 15


@pytest.mark.slow
def test_checked_in_a_script(rubric, blocks, tmp_path):
    script = tmp_path / "student.py"
    script.write_text(blocks[1].replace("check(", "print(check(").replace('.py")', '.py"))'))
    done = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.startswith("✓ softplus  4 / 4"), done.stdout + done.stderr


@pytest.mark.gate
@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("jnp.where(x > 20, x, jnp.log1p(jnp.exp(x)))", Status.FAILED, "result.gradient["),
        ("jnp.maximum(x, 0)", Status.FAILED, "values differ"),
        ("jnp.logaddexp(x, 0.0)", Status.PASSED, ""),
    ],
)
def test_graded_with_a_secret_key(rubric, judge, body, status, words):
    source = f"import jax, jax.numpy as jnp\n@jax.jit\ndef softplus(x):\n    return {body}\n"
    notebook = Notebook("softplus", (Cell("solution", source, "solution"),))
    terms = Terms(load_rubric(rubric), judge, 77)
    (report,) = grade_notebook(notebook, "softplus.ipynb", terms).reports
    outputs = report.criterion("outputs")
    assert outputs.status is status
    assert words in "".join(f.message for f in outputs.findings)
