"""Readings run in a process with limits: whatever one does, it ends, and the next one is served."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from autograder.grading import apart
from autograder.grading.apart import OutOfLimits, Reader, ReadingFailed
from autograder.grading.pipeline import grade_notebook, prepare
from autograder.grading.plan import plan_attempts
from autograder.lessons.authoring import build_exercise
from autograder.model.kit_fault import CannotJudge, KitFault
from autograder.model.notebook import Cell, Notebook, cells_of, nbformat
from autograder.model.report import Report, Status
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.processes import usage
from autograder.processes.child_process import with_kit
from autograder.tests.helpers import exhausting
from autograder.tests.helpers.courses import RIGHT

IMPORTS = Cell("imports", "import jax\nimport jax.numpy as jnp", "")
SOLUTION = Cell("solution", RIGHT, "solution")


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    reader = Reader(seconds=0.5, resident=300 * 2**20)
    yield reader
    reader.close()


@pytest.fixture(scope="module")
def patient() -> Iterator[Reader]:
    """Memory runs out before time, however slowly it is watched."""
    reader = Reader(seconds=60, resident=300 * 2**20)
    yield reader
    reader.close()


@pytest.fixture
def strict(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> Reader:
    """The reader of this process has half a second for each reading."""
    monkeypatch.setattr(apart, "_shared", reader)
    return reader


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reading", "problem"),
    [
        (exhausting.hang, "reading it takes more than 0.5 s"),
        (exhausting.hang_in_c, "reading it takes more than 0.5 s"),
        (exhausting.ask_for_much, "reading it takes more than 0.293 GiB of memory"),
        (exhausting.answer_much, "reading it takes more than 0.293 GiB of memory"),
        (exhausting.descend, "it is nested too deeply"),
        (exhausting.answer_deep, "it is nested too deeply"),
        (exhausting.end, "the process that reads it ended"),
    ],
)
def test_what_exceeds_a_limit_is_reported_and_the_next_is_served(
    reader, patient, reading, problem
) -> None:
    asked = patient if "memory" in problem else reader
    with pytest.raises(OutOfLimits) as error:
        asked.read(reading)
    assert error.value.problem == problem
    assert asked.read(exhausting.repeat, {"a": [1, None, "é"]}) == [{"a": [1, None, "é"]}, 0]


@pytest.mark.gate
def test_memory_is_limited_where_there_is_no_proc(patient, monkeypatch) -> None:
    monkeypatch.setattr(usage, "_LISTS_CHILDREN", False)
    with pytest.raises(OutOfLimits, match="GiB of memory"):
        patient.read(exhausting.fill_slowly)


@pytest.mark.skipif("AUTOGRADER_TESTS_AS" in os.environ, reason="see the test above")
def test_memory_is_limited(patient) -> None:
    with pytest.raises(OutOfLimits, match="GiB of memory"):
        patient.read(exhausting.fill)


def test_the_kits_own_failure_is_reported_as_such(reader) -> None:
    with pytest.raises(ReadingFailed) as error:
        reader.read(exhausting.fail)
    problem = "KeyError: 'the step' in autograder/grading/apart_process.py, line "
    assert error.value.problem.startswith(f"the kit itself failed on it: {problem}")
    assert isinstance(error.value, KitFault)
    assert error.value.args[0].startswith(f"The kit itself failed here ({problem}")
    assert reader.read(exhausting.repeat, 1, raw=b"abc") == [1, 3]


@pytest.mark.slow
def test_readings_wait_for_their_turn(reader) -> None:
    """Nobody gets another's answer, whoever is stopped in between."""

    def read(number: int) -> object:
        if number % 4 < 3:
            return reader.read(exhausting.repeat, number)
        with pytest.raises(OutOfLimits):
            reader.read(exhausting.hang)
        return None

    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(read, range(8)))
    assert found == [None if i % 4 == 3 else [i, 0] for i in range(8)]


def test_a_child_that_something_else_ends_is_replaced(reader) -> None:
    assert reader.read(exhausting.repeat, 1) == [1, 0]
    reader._child.process.kill()
    assert reader.read(exhausting.repeat, 2) == [2, 0]


def test_where_no_child_can_be_started(monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no more processes")

    monkeypatch.setattr(apart, "WatchedChild", fail)
    with pytest.raises(CannotJudge, match="could not be started: no more processes"):
        Reader().read(exhausting.repeat, 1)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Unix has limits of this kind")
def test_a_reading_ends_although_whoever_asked_was_killed() -> None:
    ask = (
        "from autograder.grading.apart import Reader\n"
        "from autograder.tests.helpers import exhausting\n"
        "reader = Reader(1.0)\nreader.read(exhausting.repeat, 1)\n"
        "print(reader._child.process.pid, flush=True)\nreader.read(exhausting.hang)"
    )
    command = [sys.executable, "-c", ask]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=with_kit({})) as asking:
        assert asking.stdout is not None
        child = psutil.Process(int(asking.stdout.readline()))
        asking.kill()
    gone, _ = psutil.wait_procs([child], timeout=300)
    assert gone


def test_it_does_not_import_jax(reader) -> None:
    assert reader.read(exhausting.imported, "autograder.grading.repair")
    assert not reader.read(exhausting.imported, "jax")


# --- submissions --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", exhausting.SOURCES)
def test_a_source_that_is_too_much(name) -> None:
    """It is read, or it is not proved; nothing is raised, and the neighbour's is as before."""
    rubric = load_rubric("tracing")
    cell = Cell("it", exhausting.SOURCES[name], "solution")
    for found in plan_attempts(Notebook("tracing", (IMPORTS, cell)), rubric):
        assert found.unproved is not None or found.cells
        if found.unproved is not None:
            assert found.unproved.cell in ("imports", "it", "") and found.unproved.reason
    right = Notebook("static_branch", (IMPORTS, SOLUTION))
    (neighbour,) = plan_attempts(right, load_rubric("static_branch"))
    assert neighbour.is_proved


@pytest.mark.slow
@pytest.mark.parametrize("name", exhausting.NOTEBOOKS)
def test_a_notebook_that_is_too_much(name, lessons) -> None:
    """Its code is found, or it is named as one that cannot be read."""
    released = build_exercise(lessons["static_branch"])
    raw = exhausting.NOTEBOOKS[name](json.loads(json.dumps(released)))
    repaired = prepare(raw, "x.ipynb", released)
    whole = cells_of(released)
    if repaired.unreadable:
        assert repaired.unreadable.startswith("x.ipynb cannot be read as a notebook: ")
        assert cells_of(repaired.notebook) == whole
    else:
        assert set(whole) <= set(cells_of(repaired.notebook))


def grade(judge, *cells: Cell, lesson: str = "static_branch") -> Report:
    notebook = Notebook(lesson, (IMPORTS, *cells))
    reports = grade_notebook(notebook, "x.ipynb", Terms(load_rubric(lesson), judge)).reports
    return next(report for report in reports if report.exercise == lesson)


@pytest.mark.slow
def test_a_source_out_of_limits_keeps_its_points_and_is_named(judge, strict) -> None:
    report = grade(judge, Cell("slow", exhausting.SLOW, ""), SOLUTION)
    assert report.status is Status.PASSED
    assert {c.name: c.evidence for c in report.criteria} == {
        "outputs": "proved",
        "purity": "observed",
        "compilations": "observed",
    }
    problem = (
        "The code could not be read (reading it takes more than 0.5 s), so what was seen of it is "
        "only observed. This costs no points. Look for expressions, classes or values that are "
        "very long, or nested in one another many times, and write them plainly."
    )
    assert report.unproved is not None and report.unproved.is_unread
    assert report.unproved.reason == problem and report.notes == (problem,)
    assert Report.from_json(report.to_json()) == report


@pytest.mark.slow
def test_a_text_out_of_limits_is_shown_as_typed(lessons, monkeypatch, strict) -> None:
    """The code beside it counts."""
    real = strict.read

    def read(function, *arguments, raw=None):
        rendered = arguments[-1]  # no text is known that still hangs it
        return real(exhausting.hang) if rendered else real(function, *arguments, raw=raw)

    monkeypatch.setattr(strict, "read", read)
    released = build_exercise(lessons["static_branch"])
    text = nbformat.v4.new_markdown_cell("*mine*")
    submitted = {**released, "cells": [*released["cells"], text]}
    repaired = prepare(json.dumps(submitted).encode(), "x.ipynb", released)
    assert not repaired.unreadable
    assert cells_of(repaired.notebook) == cells_of(released)
    assert repaired.notebook["cells"][-1]["source"] == "```text\n*mine*\n```"


@pytest.mark.slow
def test_a_file_out_of_limits_is_unreadable(lessons, monkeypatch, strict) -> None:
    real = strict.read
    monkeypatch.setattr(strict, "read", lambda *_, raw=None: real(exhausting.hang))
    released = build_exercise(lessons["static_branch"])
    started = time.monotonic()
    repaired = prepare(b"{}", "x.ipynb", released)
    assert time.monotonic() - started < 120
    assert repaired.unreadable == (
        "x.ipynb cannot be read as a notebook: reading it takes more than 0.5 s. Open it in "
        "JupyterLab and save it again, or take a fresh copy of the exercise and paste your "
        "solution into it."
    )
