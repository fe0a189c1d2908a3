"""The page about `compiles` shows what pytest prints, for public libraries as well.

With `AUTOGRADER_REWRITE=1`, the page gets what is printed now.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import jax
import optax  # noqa: F401
import pytest

# Otherwise each run in this process would import it again.
import autograder.criteria.compilations.compiled_report  # noqa: F401
from autograder.tests.helpers.page_examples import (
    Example,
    read_examples,
    with_outputs,
    without_times,
)

pytest_plugins = "pytester"
PAGE = Path(__file__).parents[1] / "docs" / "compiles.md"
TEXT = PAGE.read_text(encoding="utf-8")
EXAMPLES = read_examples(TEXT)
TOTAL = re.compile(r"\d+ (failed|passed).* in [\d.:()s ]+$")
NEEDS = {"test_equinox.py": "equinox", "test_flax.py": "flax.nnx"}


def run(example: Example, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what pytest prints for an example, but for how long the whole run took."""
    if example.file in NEEDS:
        pytest.importorskip(NEEDS[example.file], reason=f"needs {NEEDS[example.file]}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    for name in ("PYTEST_ADDOPTS", "CI", "BUILD_NUMBER"):  # with the last two, no line is cut
        monkeypatch.delenv(name, raising=False)
    jax.clear_caches()
    for other in pytester.path.glob("test_*.py"):
        other.unlink()
    (pytester.path / example.file).write_text(example.source, encoding="utf-8")
    program, *arguments = shlex.split(example.command)
    assert program == "pytest"
    plugin = ("-p", "autograder.compiles_plugin", "-p", "no:cacheprovider", "-W", "error")
    result = pytester.runpytest_inprocess(*arguments, *plugin)
    lines = [line.rstrip() for line in result.stdout.lines if not TOTAL.match(line)]
    return "\n".join(lines).strip("\n") + "\n"


@pytest.mark.parametrize(
    "example", EXAMPLES, ids=[f"{e.file}-{len(e.command.split())}" for e in EXAMPLES]
)
def test_the_page_shows_what_is_printed(
    example: Example, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = run(example, pytester, monkeypatch)
    # The report begins with what took longest.
    assert sorted(without_times(printed).split("\n")) == sorted(
        without_times(example.shown).split("\n")
    )


@pytest.mark.skipif("AUTOGRADER_REWRITE" not in os.environ, reason="AUTOGRADER_REWRITE is not set")
def test_rewrite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    text = with_outputs(TEXT, lambda example: run(example, pytester, monkeypatch))
    PAGE.write_text(text, encoding="utf-8")


def test_the_page_gets_a_reader_running_at_once() -> None:
    assert "pip install plnkit\npytest --compiles-report" in "\n".join(TEXT.splitlines()[:10])
