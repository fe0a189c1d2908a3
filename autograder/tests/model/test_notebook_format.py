"""nbformat comes without what it does not need, and takes nothing away from others."""

import subprocess
import sys

import pytest

SLOW = "rfc3987_syntax"


@pytest.mark.slow
def test_the_slow_grammar_is_not_built(tmp_path):
    code = f"""
import sys
from typer.testing import CliRunner
from autograder.cli import app
done = CliRunner().invoke(app, ["grade", "nowhere", "scan_fit"])
print(done.exit_code, "nbformat" in sys.modules, "{SLOW}" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.split() == ["1", "True", "False"]


@pytest.mark.slow
def test_others_can_import_it_all_the_same():
    pytest.importorskip(SLOW)
    name = "autograder.model.notebook"
    code = f"import {name}, {SLOW}; print({SLOW}.is_valid_syntax('iri', 'a:b'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"


@pytest.mark.slow
def test_what_is_imported_already_stays():
    code = f"import {SLOW} as a, autograder.model.notebook, {SLOW} as b; print(a is b)"
    pytest.importorskip(SLOW)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
