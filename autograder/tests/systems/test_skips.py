"""The end of a run says why tests were skipped, in one line a reason, and can list the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from plnkit.tests.needs import need, reason_without

TESTS = """
import pytest

@pytest.mark.parametrize("text", ["a b", "c"])
def test_browser(text):
    pytest.skip("needs a\\n  browser")

@pytest.mark.skipif(True, reason="needs torch")
def test_torch():
    pass

def test_passes():
    pass
"""
WHOLE_FILE = 'import pytest\npytest.importorskip("no_such_module", reason="needs a module")\n'


@pytest.mark.slow
@pytest.mark.parametrize("processes", [(), ("-n", "2")], ids=["one process", "xdist"])
def test_one_line_a_reason(tmp_path: Path, processes: tuple[str, ...]) -> None:
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_whole.py").write_text(WHOLE_FILE)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "autograder.tests.systems.skips"]
    options = ["-p", "no:cacheprovider", "--skipped-to", "skipped", *processes]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.rstrip().splitlines()
    first = next(i for i, line in enumerate(lines) if " skipped " in line and line[0] == "-")
    assert lines[first + 1 : first + 4] == [
        "   2 needs a browser",
        "   1 needs a module",
        "   1 needs torch",
    ]
    assert lines[-1].startswith("1 passed, 4 skipped in ")
    ids = (tmp_path / "skipped").read_text().splitlines()
    assert sorted(ids) == [
        "test_some.py::test_browser[a b]",
        "test_some.py::test_browser[c]",
        "test_some.py::test_torch",
        "test_whole.py",
    ]
    again = [*command, *options[:2], *processes, "@skipped"]
    done = subprocess.run(again, cwd=tmp_path, capture_output=True, text=True)
    assert "4 skipped in " in done.stdout.splitlines()[-1], done.stdout + done.stderr


def test_a_missing_package_is_told_with_its_extra() -> None:
    words = "no_such_module is not installed: it comes with the extra `dev`"
    with pytest.raises(pytest.skip.Exception, match=words):
        need("no_such_module", "dev")
    assert reason_without("torch") == "torch is not installed: it comes with the extra `peers`"


PLUGIN = """
import warnings
import pytest

def pytest_configure(config):
    warnings.warn(pytest.PytestConfigWarning("set the scope of my loops"))
"""


@pytest.mark.gate
def test_warnings_of_other_plugins_fail_nothing(tmp_path: Path) -> None:
    """Whichever are installed beside the kit: pytest-asyncio and pytest-benchmark warn so."""
    (tmp_path / "noisy.py").write_text(PLUGIN)
    (tmp_path / "test_some.py").write_text("def test_some():\n    pass\n")
    settings = Path(__file__).parents[3] / "pyproject.toml"
    command = [sys.executable, "-m", "pytest", "-c", str(settings), "-p", "noisy", "test_some.py"]
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0 and "set the scope of my loops" in done.stderr, done
