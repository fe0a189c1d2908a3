"""`pytest exercises` as a learner runs it: a process of its own."""

import subprocess
import sys

import nbformat
import pytest

# One test process is not the place to measure how the plug-in is imported.
NO_JAX = "import sys, autograder.pytest_plugin; sys.exit('jax' in sys.modules)"


@pytest.fixture
def run(tmp_path):
    def run(*arguments):
        command = [sys.executable, "-m", "pytest", "--rootdir", tmp_path, *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)

    return run


def test_loading_the_plug_in_imports_no_jax():
    assert subprocess.run([sys.executable, "-c", NO_JAX]).returncode == 0


def test_one_item_a_criterion_in_order(run, write_notebook):
    write_notebook("static_branch")
    write_notebook("static_reshape")
    listed = run("--collect-only", "-q").stdout.splitlines()[:6]
    assert listed == [
        f"{notebook}::{exercise}::{criterion}"
        for notebook, exercise in (
            ("01_static_branch.ipynb", "static_branch"),
            ("02_static_reshape.ipynb", "static_reshape"),
        )
        for criterion in ("outputs", "purity", "compilations")
    ]


def test_starter_fails_with_teaching_text_and_no_library_frames(run, write_notebook):
    write_notebook("static_branch")
    done = run()
    assert done.returncode == 1
    assert "3 failed" in done.stdout
    assert "line 3: if power == 0:" in done.stdout
    assert "make the argument static (`static_argnames`" in done.stdout
    assert "site-packages" not in done.stdout


def test_solution_passes_and_is_remembered(run, write_notebook, tmp_path):
    write_notebook("static_branch", True)
    assert "3 passed" in run().stdout
    (kept,) = (tmp_path / ".pytest_cache" / "v" / "autograder").iterdir()
    # A forged memory must show: that is how we know that nothing was run again.
    kept.write_text(kept.read_text().replace('"passed"', '"failed"'))
    assert "3 failed" in run().stdout


def test_one_item_alone(run, write_notebook):
    write_notebook("static_branch", True)
    assert "1 passed" in run("01_static_branch.ipynb::static_branch::outputs").stdout
    assert "1 passed, 2 deselected" in run("-k", "purity").stdout


def test_broken_notebook_is_a_sentence(run, write_notebook):
    path = write_notebook("static_branch")
    path.write_text(path.read_text()[:1000])
    done = run()
    assert "not graded: the notebook cannot be read" in done.stdout
    assert "Open it in JupyterLab" in done.stdout
    assert "Traceback" not in done.stdout


def test_other_peoples_notebooks_are_left_alone(run, tmp_path):
    nbformat.write(nbformat.v4.new_notebook(), tmp_path / "03_analysis.ipynb")
    assert "no tests ran" in run().stdout
