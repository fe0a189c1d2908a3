"""Killed at any moment and run again: the same gradebook, nothing lost, nothing twice."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.classroom.command import NEEDS_A_LOOK
from autograder.demo import submit
from autograder.store import Store
from autograder.tests.classroom import ASSIGNMENT, RIGHT, exports, start_autograder
from autograder.worker.keeper import descendants

STORE = Path(".autograder", "results.jsonl")


@dataclass(frozen=True)
class Reference:
    """A class before it was graded, and what an undisturbed run made of it.

    Attributes:
        before: the course folder with everything handed in and nothing graded.
        after: the same folder graded.
        exports: what nbgrader exports of it.
        seconds: from the grader's first words to its end.
    """

    before: Path
    after: Path
    exports: dict[str, bytes]
    seconds: float


def graded(course: Path) -> float:
    """Grade undisturbed; seconds from the first line on."""
    with start_autograder("grade", course, ASSIGNMENT) as process:
        assert process.stdout is not None
        assert "Sandbox" in process.stdout.readline()
        started = time.monotonic()
        rest, _ = process.communicate()
    assert process.returncode == NEEDS_A_LOOK, rest  # the notebook that cannot be read
    return time.monotonic() - started


def killed(course: Path, seconds: float, lines: int = 1) -> bool:
    """Kill the grader's process group that long after a line of its; False when it was done.

    What it had started in groups of its own must end by itself.
    """
    with start_autograder("grade", course, ASSIGNMENT) as process:
        assert process.stdout is not None
        for _ in range(lines):
            process.stdout.readline()
        time.sleep(seconds)
        below = {one: Path("/proc", str(one)) for one in descendants(process.pid)}
        os.killpg(process.pid, signal.SIGKILL)
        process.stdout.read()
    deadline = time.monotonic() + 20
    while left := [one for one, place in below.items() if place.exists()]:
        assert time.monotonic() < deadline, f"still there: {left}"
        time.sleep(0.05)
    return process.returncode == -signal.SIGKILL


def known_only(reference: Reference, target: Path) -> Path:
    """A copy of the course that holds the results of the reference run, and nothing recorded."""
    shutil.copytree(reference.before, target)
    shutil.copy(reference.after / STORE, target / STORE)
    return target


def check(course: Path, reference: Reference) -> None:
    """What a course that was graded to the end must look like, whatever came before."""
    assert exports(course) == reference.exports
    names = {p.relative_to(course) for p in course.rglob("*")}
    assert names == {p.relative_to(reference.after) for p in reference.after.rglob("*")}
    store = Store(course / STORE)
    assert len(store) == 2
    lines = (course / STORE).read_bytes().splitlines()
    assert sum(line.endswith(b"}") for line in lines) == 2  # no submission was graded twice
    table = f"{ASSIGNMENT}.csv"
    assert (course / table).read_bytes() == (reference.after / table).read_bytes()


@pytest.fixture(scope="module")
def reference(released, tmp_path_factory) -> Reference:
    folder = tmp_path_factory.mktemp("killed")
    before, after = folder / "before", folder / "course"
    shutil.copytree(released, before)
    submit(before, ASSIGNMENT, "ada", RIGHT)
    submit(before, ASSIGNMENT, "bela", None)
    submit(before, ASSIGNMENT, "cut", RIGHT).write_text("{")
    for student in ("ada", "bela"):
        late = before / "submitted" / student / ASSIGNMENT / "timestamp.txt"
        late.write_text("2026-11-20 20:30:00 UTC\n")
    (before / ".autograder").mkdir()
    # The same draws in all runs; by luck a draw could tell what another one does not.
    (before / ".autograder" / "key.json").write_text('{"schema": 1, "key": 1234567}')
    shutil.copytree(before, after)
    seconds = graded(after)
    reference = Reference(before, after, exports(after), seconds)
    check(after, reference)
    return reference


def test_three_kills_while_recording(reference, tmp_path):
    course = known_only(reference, tmp_path / "course")
    for line, seconds in ((2, 0.2), (3, 0.3), (4, 0.02)):
        assert killed(course, seconds, line)
    graded(course)
    check(course, reference)


@pytest.mark.slow
@pytest.mark.parametrize("fresh", [True, False])
def test_ten_kills_at_random_moments(reference, tmp_path, fresh):
    """From the first word to the last, of a class to be graded and of one to be recorded."""
    folders = (tmp_path / f"course{i}" for i in range(1000))

    def start() -> Path:
        if fresh:
            return shutil.copytree(reference.before, next(folders))
        return known_only(reference, next(folders))

    length = reference.seconds if fresh else graded(start())
    rng = random.Random(20261121 + fresh)
    moments = [(i + rng.random()) / 10 * length for i in range(10)]
    rng.shuffle(moments)
    course = start()
    for moment in moments:
        while not killed(course, moment):
            # It was done sooner: look at it, and use this moment on a class not graded yet.
            check(course, reference)
            course, moment = start(), moment * 0.8
    graded(course)
    check(course, reference)
