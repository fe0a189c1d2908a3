"""`autograder doctor` names what is there, what is missing, and fails only where nothing works."""

from __future__ import annotations

import io
import os
import subprocess
import sys

import pytest
from rich.console import Console

from autograder.learner import doctor
from autograder.learner.doctor import MachineCheck
from plnkit import WrongCompilerError


@pytest.mark.slow
def test_this_machine():
    text = io.StringIO()
    assert doctor.show_machine(Console(file=text, width=100))
    shown = text.getvalue()
    for name in ("Python", "jax", "GPU", "checks", "sandbox", "nbgrader", "browser", "peers"):
        assert name in shown
    assert "compiled values are right" in shown


@pytest.mark.slow
def test_a_wrong_compiler(monkeypatch):
    """Only the canary's answer is replaced: this machine's compiler is right."""

    def wrong():
        raise WrongCompilerError("jaxlib 9 computes wrong values")

    monkeypatch.setattr("plnkit.compiler_guard.canary", wrong)
    text = io.StringIO()
    assert not doctor.show_machine(Console(file=text, width=100))
    assert "jaxlib 9 computes wrong values" in text.getvalue()
    assert "cannot work here until you fix what is marked ✗" in text.getvalue()


@pytest.mark.parametrize(
    ("check", "cure"),
    [
        (doctor.check_browser, "apt install chromium chromium-driver"),
        (doctor.check_nbgrader, "activate the environment first"),
        (doctor.check_gpu, "on a GPU machine `python -m autograder.speed BUNDLE`"),
    ],
)
def test_what_is_missing_has_a_cure(monkeypatch, check, cure):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("jax.devices", lambda kind: (_ for _ in ()).throw(RuntimeError("no gpu")))
    found: MachineCheck = check()
    assert found.state == "less"
    assert cure in found.cure


@pytest.mark.slow
def test_without_jax(tmp_path):
    """A module that cannot be imported stands in for a missing one."""
    (tmp_path / "jax.py").write_text("raise ModuleNotFoundError(\"No module named 'jax'\")")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    code = "from autograder.cli import app; app(['doctor'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": path, "COLUMNS": "200"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "No module named 'jax': pip install jax" in done.stdout


def test_a_machine_on_which_no_process_starts(monkeypatch):
    def fail(*_):
        raise OSError("too many processes")

    monkeypatch.setattr("autograder.sandbox.plain_client.WatchedChild", fail)
    monkeypatch.setattr("autograder.judge.client.WatchedChild", fail)
    found = doctor.check_worker()
    assert found.state == "broken"
    assert "No exercise can be checked here: too many processes" in found.cure


def test_a_sandbox_in_which_nothing_can_be_graded(monkeypatch):
    """The probe alone once showed a tick where only root could grade."""
    why = "no worker could be confined"
    monkeypatch.setattr("autograder.sandbox.worker_answers.try_out", lambda _: why)
    found = doctor.check_sandbox()
    assert found.state == "broken"
    assert "No submission can be graded here: no worker could be confined" in found.cure
