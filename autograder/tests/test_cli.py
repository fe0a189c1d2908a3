import subprocess
import sys

import pytest
from typer.testing import CliRunner

from autograder.cli import app

runner = CliRunner()


def test_build_check_in_the_checkout(root, tmp_path):
    result = runner.invoke(app, ["build", "--kit", str(tmp_path)])
    assert result.exit_code == 1
    assert "needs a checkout of the kit" in result.stderr


def test_course(root, tmp_path):
    result = runner.invoke(app, ["course", str(tmp_path / "c"), "--kit", str(root)])
    assert result.exit_code == 0
    assert "static_branch, static_reshape" in result.stdout
    result = runner.invoke(app, ["course", str(tmp_path / "c"), "--kit", str(root)])
    assert result.exit_code == 1
    assert "nothing was written" in result.stderr


@pytest.mark.parametrize("command", ["build", "course", "demo"])
def test_help(command):
    assert runner.invoke(app, [command, "--help"]).exit_code == 0


def test_help_imports_no_jax():
    code = "import sys, autograder.cli; sys.exit('jax' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
