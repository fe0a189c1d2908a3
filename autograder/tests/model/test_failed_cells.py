"""A name that is missing because a cell failed: that cell is what is told."""

from __future__ import annotations

import pytest

from autograder.errors.error_finding import error_finding
from autograder.model import failed_cells
from autograder.model.failed_cells import FailedCell, find_cause, note_cell
from autograder.model.finding import Finding

FAILED = Finding("error", "error", 2, "ZeroDivisionError: division by zero", "1 / 0")


@pytest.fixture(autouse=True)
def _forget(monkeypatch):
    monkeypatch.setattr(failed_cells, "_failed", {})


@pytest.mark.parametrize(
    "source",
    [
        "x = 1",
        "import numpy as x",
        "from a import x",
        "def x(): ...",
        "class x: ...",
        "for x in y: ...",
        "with a as (x, y): ...",
        "if (x := 1): ...",
        "async with a as x: ...",
        "x = await y",
        "%matplotlib inline\nx = 1",
        "1 / 0\nx: int = 1",
        "x = (",
        "def x(a: ",
        "class x[",
        "y, x = [",
    ],
)
def test_what_binds_a_name(source):
    assert FailedCell(source, FAILED).binds("x")


@pytest.mark.parametrize(
    "source",
    [
        "y = x",
        "def f():\n    x = 1",
        "# x = 1",
        "f(x=1)",
        "a.x = 1",
        "x",
        "y = (x",
        "xx = (",
        "x == (",
    ],
)
def test_what_does_not(source):
    assert not FailedCell(source, FAILED).binds("x")


def test_the_first_cell_that_failed_is_reported():
    note_cell("a", FailedCell("shift = 1 / 0", FAILED))
    note_cell("b", FailedCell("shift = 2 +", FAILED))
    cause = find_cause("shift")
    assert cause is not None
    assert (cause.rule, cause.line, cause.code) == ("error", 2, "1 / 0")
    assert cause.message == (
        "ZeroDivisionError: division by zero\nThe cell with this line fails first. So `shift` is "
        "not defined (NameError) where it is needed: fix this cell, not that place."
    )
    assert find_cause("other") is None


def test_a_cell_that_has_run_to_its_end_is_no_cause():
    note_cell("a", FailedCell("shift = 1 / 0", FAILED))
    note_cell("a", None)
    assert find_cause("shift") is None


def test_an_error_for_want_of_a_name_is_explained_by_its_cause():
    def use():
        return shift  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    def error():
        try:
            use()
        except NameError as raised:
            return error_finding(raised, {__file__})
        raise AssertionError

    assert error().message.startswith("NameError: name 'shift' is not defined")
    note_cell("a", FailedCell("shift = 1 / 0", FAILED))
    assert error().message.startswith("ZeroDivisionError: division by zero\nThe cell with this")
