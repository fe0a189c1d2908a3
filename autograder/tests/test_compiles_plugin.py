"""The plug-in for limits and reports, as pytest runs it in a project of somebody else's."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

# Otherwise each run in this process would import it again.
import autograder.criteria.compilations.compiled_report  # noqa: F401

pytest_plugins = "pytester"

STEP = """
import jax, numpy as np, pytest

@jax.jit
def step(x):
    return 2 * x

"""
PLUGIN = ("-p", "autograder.compiles_plugin", "-p", "no:cacheprovider", "-W", "error")


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    """Run tests, given as the source below `step`, in this process."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")

    def run_tests(source: str, *options: str) -> pytest.RunResult:
        pytester.makepyfile(test_step=STEP + source)
        return pytester.runpytest_inprocess("-q", *PLUGIN, *options)

    return run_tests


def printed(result: pytest.RunResult) -> str:
    return "\n".join(result.stdout.lines)


def test_a_mark_limits_a_test(run) -> None:
    result = run(
        "@pytest.mark.compiles(at_most=1)\n"
        "def test_one():\n    step(np.ones(3))\n"
        "@pytest.mark.compiles(at_most=1)\n"
        "def test_two():\n    step(np.ones(4)); step(np.ones(5))\n"
    )
    result.assert_outcomes(passed=1, failed=1)
    output = printed(result)
    assert (
        "this block compiled 2 programs, at most 1 allowed:\n  test_step.py:12: `step` (li"
        in output
    )
    assert "because `x` was float32[4] and is now float32[5]" in output
    assert "Traceback" not in output and "limit.py" not in output


def test_the_nearest_mark_counts(run) -> None:
    body = "    step(np.ones(3)); step(np.ones(4))\n"
    result = run(
        "pytestmark = pytest.mark.compiles(at_most=1)\n"
        f"def test_module():\n{body}"
        f"@pytest.mark.compiles(at_most=2)\ndef test_own():\n{body.replace('ones', 'zeros')}"
        "class TestClass:\n"
        "    @pytest.mark.compiles(at_most=0, of=jax.nn.relu)\n"
        "    def test_method(self):\n        step(np.ones(8)); step(np.ones(9))\n"
    )
    result.assert_outcomes(passed=2, failed=1)


@pytest.mark.parametrize("arguments", ["1", "most=1", "at_most=1, by='step'"])
def test_a_mark_that_says_no_limit_fails(run, arguments: str) -> None:
    result = run(f"@pytest.mark.compiles({arguments})\ndef test_step():\n    pass\n")
    result.assert_outcomes(failed=1)
    assert "write the mark as `@pytest.mark.compiles(at_most=1)`" in printed(result)


def test_a_bare_mark_and_a_fixture_of_the_projects_own_are_left_alone(run) -> None:
    result = run(
        "@pytest.fixture\ndef compiles():\n    return 3\n"
        "@pytest.mark.compiles\ndef test_step(compiles):\n    assert compiles == 3\n",
        "--strict-markers",
    )
    result.assert_outcomes(passed=1)


def test_a_failure_of_the_test_is_shown_as_it_is(run) -> None:
    result = run(
        "@pytest.mark.compiles(at_most=0)\ndef test_step():\n    step(np.ones(3)); assert 1 == 2\n"
    )
    assert "assert 1 == 2" in printed(result) and "at most 0" not in printed(result)


def test_the_report(run) -> None:
    result = run(
        "step(np.ones(2))\n"
        "@pytest.fixture\ndef warm():\n    step(np.ones(3))\n"
        "def test_a(warm):\n    step(np.ones(3)); step(np.ones(3, int))\n"
        "def test_b():\n    pass\n"
        "def test_c():\n    jax.numpy.sin(np.ones(17)); [step(np.ones(n)) for n in range(4, 8)]\n",
        "--compiles-report",
    )
    output = printed(result)
    assert "while the tests were imported: 1 program" in output
    assert "test_step.py::test_a: 2 programs" in output and "test_b" not in output
    assert "s  `step` (test_step.py:4), at test_step.py:10" in output
    assert "again: `x` was float32[2] and is now float32[3]" in output
    assert "again: `x` was float32[3] and is now int32[3]" in output
    assert "test_step.py::test_c: 4 programs" in output and "and 2 more" in output
    assert "2 tests compiled 7 programs of this project's functions in" in output
    assert "JAX's single operations and other packages: 1 other, in" in output
    assert "`pytest --compiles-report -v` lists all of them" in output


def test_the_whole_report(run) -> None:
    result = run(
        "@pytest.mark.parametrize('n', range(3, 10))\ndef test_a(n):\n    step(np.ones(n))\n",
        "--compiles-report",
        "-vv",
    )
    output = printed(result)
    assert output.count("`step` (test_step.py:4), at test_step.py:9") == 7
    assert "keep shapes fixed, or pad" in output and "lists all of them" not in output


def test_a_report_of_nothing(run) -> None:
    output = printed(run("def test_a():\n    pass\n", "--compiles-report"))
    assert "0 tests compiled 0 programs of this project's functions in 0.00 s." in output


def test_a_block_knows_what_was_before_it_when_there_is_a_report(run) -> None:
    result = run(
        "def test_a(compiles):\n    step(np.ones(3))\n"
        "    with compiles(at_most=0):\n        step(np.ones(4))\n",
        "--compiles-report",
    )
    output = printed(result)
    assert (
        "`step` (line 4) was compiled again because `x` was float32[3] and is now float32[4"
        in output
    )
    assert "contextlib" not in output and "limit.py" not in output


def _pytest(folder: Path, *options: str, **environment: str) -> str:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-W", "error", *options]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env={**os.environ, **environment}
    )
    assert not done.stderr, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_report_with_xdist(tmp_path: Path) -> None:
    pytest.importorskip("xdist", reason="needs pytest-xdist")
    (tmp_path / "test_step.py").write_text(
        STEP + "@pytest.mark.parametrize('n', range(4))\ndef test_a(n):\n    step(np.ones(n))\n"
    )
    output = _pytest(tmp_path, "-q", "-n", "2", "--compiles-report")
    assert "4 passed" in output and "4 tests compiled 4 programs of this project's" in output


@pytest.mark.slow
def test_nothing_is_imported_or_watched_unless_asked_for(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import sys\n"
        "def pytest_unconfigure():\n"
        "    import autograder.compiles_plugin, autograder.pytest_plugin\n"
        "    kits = ('autograder.criteria', 'autograder.lessons', 'plnkit', 'jax', 'numpy')\n"
        "    print('imported', [name for name in kits if name in sys.modules])\n"
    )
    (tmp_path / "test_a.py").write_text("def test_a(): pass\n")
    (tmp_path / "03_vmap.ipynb").write_text('{"cells": [], "metadata": {}, "nbformat": 4}')
    output = _pytest(tmp_path, "-q", "-p", "no:jaxtyping", "-p", "no:hypothesispytest")
    assert "1 passed" in output and "imported []" in output


@pytest.mark.slow
def test_the_report_waits_for_the_project_to_import_jax(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import os, sys\nassert 'jax' not in sys.modules\n"
        "os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=3'\n"
    )
    (tmp_path / "test_a.py").write_text(
        "def test_a():\n"
        "    import jax\n"
        "    assert len(jax.devices()) == 3\n"
        "    jax.jit(lambda x: x + 1)(1.0)\n"
    )
    output = _pytest(tmp_path, "-q", "--compiles-report", JAX_PLATFORMS="cpu")
    assert "1 passed" in output and "`<lambda>` (test_a.py:4), at test_a.py:4" in output
