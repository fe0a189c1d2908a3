"""Killed at any moment, or without space: after the next run, the same gradebook."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest

from autograder.classroom.command import NEEDS_REVIEW
from autograder.processes.usage import descendants
from autograder.tests.helpers.courses import ASSIGNMENT, autograder, start_autograder
from autograder.tests.helpers.reference_class import STORE, check, graded, known_only


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
    deadline = time.monotonic() + 60  # the machine may be busy
    while left := [one for one, place in below.items() if place.exists()]:
        assert time.monotonic() < deadline, f"still there: {left}"
        time.sleep(0.05)
    return process.returncode == -signal.SIGKILL


@pytest.mark.slow
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


@pytest.mark.slow
def test_two_graders_at_once(reference, tmp_path):
    course = known_only(reference, tmp_path / "course")
    with start_autograder("grade", course, ASSIGNMENT) as first:
        assert first.stdout is not None
        printed = [first.stdout.readline() for _ in range(2)]
        os.killpg(first.pid, signal.SIGSTOP)  # in the midst of it
        status, second = autograder("grade", course, ASSIGNMENT)
        os.killpg(first.pid, signal.SIGCONT)
        printed.append(first.stdout.read())
    assert first.returncode == NEEDS_REVIEW, printed
    assert status == 1
    assert "another grader is running in" in second
    assert "Wait until it is done, then run this again" in second
    check(course, reference)


@pytest.mark.slow
def test_a_stale_staging_copy(reference, tmp_path):
    course = known_only(reference, tmp_path / "course")
    staging = course / ".autograder" / "staging"
    stale, begun = staging / "ada" / ASSIGNMENT, staging / ".bela.1"
    for folder in (stale, begun):
        folder.mkdir(parents=True)
        (folder / f"{ASSIGNMENT}.ipynb").write_text("{}")
    (stale / "helper.py").write_text("old")
    (stale / "timestamp.txt").write_text("2020-01-01 00:00:00 UTC")
    graded(course)
    check(course, reference)


@pytest.fixture
def small_disk(tmp_path) -> Iterator[Path]:
    """A file system of 32 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(place)]
    if os.getuid() or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small file system takes more rights than there are here")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(disk: Path, left: int) -> Path:
    """Leave that many bytes."""
    filler = disk / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(2**16))
    os.truncate(filler, max(0, filler.stat().st_size - left))
    return filler


def assert_whole(course: Path) -> None:
    """Whatever is there is all there."""
    for path in course.rglob("*.json"):
        json.loads(path.read_text())
    for path in (course / "autograded").rglob("*.ipynb"):
        nbformat.validate(json.loads(path.read_text()))
    store = course / STORE
    assert not store.exists() or store.read_bytes().endswith((b"", b"\n"))
    assert not list(course.rglob("*.unfinished"))
    with sqlite3.connect(course / "gradebook.db") as database:
        assert database.execute("pragma integrity_check").fetchone() == ("ok",)
    database.close()


SLOW = pytest.mark.slow


@pytest.mark.parametrize(
    "left", [0, pytest.param(2**14, marks=SLOW), 2**16, pytest.param(2**17, marks=SLOW)]
)
@pytest.mark.slow
def test_disk_full_while_recording(reference, small_disk, left):
    course = known_only(reference, small_disk / "course")
    filler = fill(small_disk, left)
    status, printed = autograder("grade", course, ASSIGNMENT)
    assert status == 1, printed
    assert "is full (No space left on device). Make space, then run the same command" in printed
    assert "Traceback" not in printed
    assert_whole(course)
    filler.unlink()
    graded(course)
    check(course, reference)


@pytest.mark.slow
def test_disk_full_while_grading(reference, small_disk):
    course = shutil.copytree(reference.before, small_disk / "course")
    filler = fill(small_disk, 0)
    status, printed = autograder("grade", course, ASSIGNMENT)
    assert (status, "Make space" in printed) == (1, True), printed
    assert_whole(course)
    filler.unlink()
    graded(course)
    check(course, reference)
