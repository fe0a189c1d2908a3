"""What a notebook's kernel remembers of cells that were changed since."""

import json
import os
import time

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder.learner import cell_runs
from autograder.model import failed_cells

ONE, OTHER = "def f(x):\n    return x", "def g(x):\n    return x"


@pytest.fixture
def shell(monkeypatch):
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)  # another environment is active: IPython warns
    shell = InteractiveShell()
    monkeypatch.setattr(cell_runs, "_runs", {})
    monkeypatch.setattr(cell_runs, "_shell", lambda: shell)
    cell_runs.watch_cells()
    yield shell
    if shell.history_manager is not None:
        shell.history_manager.end_session()


def run(shell, source, cell):
    assert shell.run_cell(source, store_history=True, cell_id=cell).error_in_exec is None


def notes(shell, *names):
    return cell_runs.describe_runs(shell.user_ns, names or ["f"])


def test_the_card_says_which_run_it_judged(shell):
    run(shell, ONE, "a")
    assert notes(shell) == ["Judged: `f` from In[1]."]
    run(shell, "import jax\nf = jax.jit(lambda x: x + 1)", "a")
    run(shell, "class C:\n    def m(self): return 1", "b")
    assert notes(shell, "f", "C", "absent") == ["Judged: `f` from In[2], `C` from In[3]."]


def test_a_renamed_function_is_still_in_the_kernel(shell):
    run(shell, ONE, "a")
    run(shell, OTHER, "a")
    _, warning = notes(shell)
    assert "(In[1]) was run again as In[2], and no longer defines it" in warning
    run(shell, ONE, "b")  # defined again elsewhere
    assert notes(shell) == ["Judged: `f` from In[3]."]


def test_a_rerun_without_a_change_is_no_news(shell):
    run(shell, ONE, "a")
    run(shell, ONE, "a")
    assert notes(shell) == ["Judged: `f` from In[2]."]


@pytest.mark.parametrize("saved", [ONE, OTHER, None])
@pytest.mark.parametrize("newer", [True, False])
def test_an_edited_cell_that_was_not_run_is_seen_in_the_saved_notebook(
    shell, tmp_path, monkeypatch, saved, newer
):
    run(shell, ONE, "a")
    path = tmp_path / "02_static_branch.ipynb"
    cells = [{"id": "a", "source": saved.splitlines(True)}] if saved else []
    path.write_text(json.dumps({"cells": cells}))
    at = time.time() + (10 if newer else -10)
    os.utime(path, (at, at))
    monkeypatch.setenv("JPY_SESSION_NAME", str(path))
    reported = "The saved notebook has other code in the cell" in " ".join(notes(shell))
    assert reported == (newer and saved != ONE)


def test_a_script_has_no_runs(monkeypatch):
    monkeypatch.setattr(cell_runs, "_shell", lambda: None)
    assert cell_runs.describe_runs({"f": run}, ["f"]) == []


def test_a_cell_that_failed_is_the_cause_of_a_missing_name(shell, monkeypatch):
    monkeypatch.setattr(failed_cells, "_failed", {})
    shell.run_cell("# a comment\nshift = 1 / 0", store_history=True, cell_id="a")
    cause = failed_cells.find_cause("shift")
    assert cause is not None
    assert (cause.line, cause.code) == (2, "shift = 1 / 0")
    run(shell, "shift = 1", "a")  # fixed
    assert failed_cells.find_cause("shift") is None
