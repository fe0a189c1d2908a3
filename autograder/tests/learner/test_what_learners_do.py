"""What learners do to their folder and their notebooks, and what they are told."""

from __future__ import annotations

import shutil
import subprocess
import sys

import nbformat
import pytest
from typer.testing import CliRunner

from autograder.cli import app
from autograder.errors.jax_errors import explain_error
from autograder.learner.checking import check_notebook
from autograder.learner.folder import find_notebooks
from autograder.learner.notebook_record import read_record
from autograder.lessons.solutions import own_solution
from autograder.model.rubric_files import load_rubric
from autograder.render import criterion_text


@pytest.fixture
def autograder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def run(*arguments, status=0):
        result = CliRunner().invoke(app, [str(a) for a in arguments])
        assert result.exit_code == status, result.output
        return " ".join((result.stdout + result.stderr).split())

    return run


@pytest.mark.slow
def test_a_renamed_notebook_keeps_its_number(autograder, write_notebook, tmp_path):
    write_notebook("static_branch").rename(tmp_path / "my branch.ipynb")
    write_notebook("tracing")
    write_notebook("traced_branch")
    found = find_notebooks(tmp_path)
    assert [(n.number, n.lesson) for n in found][:2] == [(1, "tracing"), (2, "static_branch")]
    assert "static_branch, outputs: hint 1 of 3" in autograder("hint", "2")


def test_reset_brings_a_deleted_notebook_back(autograder, write_notebook, tmp_path):
    write_notebook("tracing")
    assert "was missing; it is the starter again" in autograder("reset", "2")
    cells = nbformat.read(tmp_path / "02_static_branch.ipynb", as_version=4).cells
    assert any("box_cox" in cell.source for cell in cells)
    assert "nothing was changed" in autograder("reset", "static_branch")


def test_a_copy_is_mentioned(autograder, write_notebook, tmp_path):
    path = write_notebook("static_branch")
    shutil.copy(path, tmp_path / "02_static_branch-Copy1.ipynb")
    printed = autograder("progress")
    assert "02_static_branch-Copy1.ipynb is a second notebook of the same lesson" in printed
    assert "does not count: 02_static_branch.ipynb does" in printed


@pytest.mark.slow
def test_a_definition_below_the_check_is_mentioned(write_notebook, lessons, judge):
    path = write_notebook("static_branch")
    notebook = nbformat.read(path, as_version=4)
    right = own_solution(lessons["static_branch"], "static_branch")
    notebook.cells.append(nbformat.v4.new_code_cell(right))
    nbformat.write(notebook, path)
    (report,) = check_notebook(path, load_rubric("static_branch"), judge).reports
    assert report.earned == report.possible
    assert "`box_cox` is defined in a cell below the check cell" in " ".join(report.notes)
    nbformat.write(nbformat.read(write_notebook("static_branch", True), as_version=4), path)
    (report,) = check_notebook(path, load_rubric("static_branch"), judge).reports
    assert "below the check cell" not in " ".join(report.notes)


@pytest.mark.slow
def test_a_broken_save_costs_nothing_that_was_reached(autograder, write_notebook):
    path = write_notebook("static_branch", True)
    assert "1 of 1 lessons, 9 of 9 points" in autograder("progress")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    printed = autograder("progress")
    assert "1 of 1 lessons, 9 of 9 points" in printed
    assert "cannot be read as a notebook; shown is its last check" in printed
    assert "cannot be read as a notebook" in autograder("next")
    path.write_bytes(whole)
    assert read_record(path).all_passed


def test_a_cell_that_python_cannot_read():
    with pytest.raises(SyntaxError) as error:
        compile("def f(:\n", "cell", "exec")
    rule, text = explain_error(error.value, "Restart the kernel.")
    assert rule == "error" and "a bracket, a quote, a colon or an indent" in text
    assert "kernel" not in text


@pytest.mark.slow
def test_unanswered_questions_share_a_sentence(write_notebook, judge):
    path = write_notebook("tracing")
    report, *_ = check_notebook(path, load_rubric("tracing"), judge).reports
    outputs = report.criterion("outputs")
    assert len(outputs.findings) > 5
    printed = " ".join(criterion_text(outputs).split())
    assert printed.count("A wrong guess costs nothing") == 1
    questions = load_rubric("tracing").exercise("tracing").questions
    assert all(question in printed for question in questions)


@pytest.mark.slow
def test_progress_in_a_folder_that_cannot_be_written(autograder, write_notebook, monkeypatch):
    write_notebook("static_branch", True)

    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("autograder.learner.notebook_record.make_dotfolder", refuse)
    printed = autograder("progress")
    assert "1 of 1 lessons, 9 of 9 points" in printed
    assert "cannot be written, so your progress is not kept" in printed


SCRIPT = """
import jax.numpy as jnp
from autograder import check
answers = {}
"""


@pytest.mark.parametrize(
    ("last", "cards"),
    [
        ("check('tracing')", 1),
        ("print(check('tracing'))", 1),
        ("score = check('tracing')", 0),
    ],
)
@pytest.mark.slow
def test_a_script_that_ends_with_a_check_shows_the_card(tmp_path, last, cards):
    script = tmp_path / "mine.py"
    script.write_text(f"{SCRIPT}{last}\n")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("tracing  0 / 5") == cards, done.stdout
