import logging
import os
import platform
import subprocess
import sys
from importlib.metadata import version

import pytest
from typer.testing import CliRunner

from autograder.cli import app

runner = CliRunner()


def test_build_check_in_the_checkout(root, tmp_path):
    result = runner.invoke(app, ["build", "--lessons", str(tmp_path)])
    assert result.exit_code == 1
    assert "Name a lesson folder with --lessons" in result.stderr


def test_course(root, tmp_path):
    result = runner.invoke(app, ["course", str(tmp_path / "c"), "--lessons", str(root)])
    assert result.exit_code == 0
    assert "static_branch, " in result.stdout
    result = runner.invoke(app, ["course", str(tmp_path / "c"), "--lessons", str(root)])
    assert result.exit_code == 1
    assert "nothing was written" in result.stderr


@pytest.mark.parametrize("command", ["build", "course", "demo", "doctor", "grade", "key", "report"])
def test_help(command):
    assert runner.invoke(app, [command, "--help"]).exit_code == 0


@pytest.mark.parametrize("command", [["report", "{}", "static_branch"], ["key", "{}"]])
def test_no_course(tmp_path, command):
    result = runner.invoke(app, [part.format(tmp_path) for part in command])
    assert result.exit_code == 1
    assert "is not a course folder: `autograder course" in result.stderr


def test_key(tmp_path):
    (tmp_path / "nbgrader_config.py").touch()
    reported = [
        runner.invoke(app, ["key", str(tmp_path), *more]) for more in ([], ["--rotate"], [])
    ]
    assert [result.exit_code for result in reported] == [0, 0, 0]
    assert (
        "`--rotate` makes a new one" in reported[0].stdout
        and reported[0].stdout != reported[2].stdout
    )
    assert "Marks given by hand stay" in reported[1].stdout


def test_help_imports_no_jax():
    code = "import sys, autograder.cli; sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.slow
def test_version_imports_no_jax():
    code = """
import sys
from autograder.cli import app
try:
    app(["--version"])
finally:
    assert "jax" not in sys.modules
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    versions = f"jax {version('jax')}, Python {platform.python_version()}"
    assert done.stdout == f"autograder {version('plnkit')} ({versions})\n"


@pytest.fixture
def quiet_log():
    """What `-v` sets lasts for the process, which a command has to itself."""
    log = logging.getLogger("autograder")
    yield
    log.handlers = []
    log.setLevel(logging.NOTSET)


@pytest.mark.parametrize("position", [0, 3])
def test_verbose_shows_what_is_done(tmp_path, root, quiet_log, position, monkeypatch):
    monkeypatch.setenv("COLUMNS", "300")
    arguments = ["build", "--lessons", str(tmp_path)]
    assert "DEBUG" not in runner.invoke(app, arguments).stderr
    arguments.insert(position, ("-v", "--verbose")[position // 3])
    result = runner.invoke(app, arguments)
    assert result.exit_code == 1 and result.stdout == ""
    assert f"autograder {version('plnkit')} in " in result.stderr
    # The sentence for the user, and with -v where it comes from.
    assert "autograder: there are no lessons at" in result.stderr
    assert "Traceback" in result.stderr and "find_course" in result.stderr


def test_a_bug_is_a_sentence_and_verbose_shows_its_traceback(tmp_path, monkeypatch, quiet_log):
    def fail(*_, **__):
        raise ZeroDivisionError("nothing left")

    monkeypatch.setattr("autograder.classroom.course_config.show_key", fail)
    result = runner.invoke(app, ["key", str(tmp_path)])
    assert result.exit_code == 1
    printed = " ".join(result.stderr.split())
    assert "the kit itself failed here (ZeroDivisionError: nothing left" in printed
    assert "run it with -v" in printed and "issue tracker" in printed and "Traceback" not in printed
    assert "Traceback" in runner.invoke(app, ["-v", "key", str(tmp_path)]).stderr


BAR = "from autograder.cli import app; import typer; typer.echo('█ ░ – ü'); app(['--help'])"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_output_of_any_encoding(encoding):
    """What Windows gives a command whose output goes into a file or a pipe."""
    command = [sys.executable, "-c", BAR]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONIOENCODING": encoding}, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    assert b"Work through the exercises" in done.stdout
