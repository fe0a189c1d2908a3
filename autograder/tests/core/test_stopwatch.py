"""Whose time it is: what was computed or slept counts, what neighbours took does not."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from autograder.core import stopwatch
from autograder.core.stopwatch import Overdue, Stopwatch

BUSY = "while True: pass"
IDLE = "import os; os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))\n"


@contextlib.contextmanager
def running(code: str, count: int = 1) -> Iterator[list[int]]:
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(count)]
    try:
        yield [process.pid for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()


def wait_for(watch: Stopwatch, limit: float) -> Overdue | None:
    end = time.monotonic() + 20 * limit
    while (found := watch.overdue(limit)) is None and time.monotonic() < end:
        time.sleep(0.02)
    return found


@pytest.mark.parametrize("may_sleep", [True, False])
def test_what_computes_for_too_long(may_sleep):
    with running(BUSY) as pids:
        watch = Stopwatch(lambda: pids, may_sleep=may_sleep)
        assert watch.overdue(0.5) is None
        assert wait_for(watch, 0.5) is Overdue.TIMEOUT


def test_what_sleeps_for_too_long_where_it_may():
    with running("import time; time.sleep(600)") as pids:
        assert wait_for(Stopwatch(lambda: pids, may_sleep=True), 1.0) is Overdue.TIMEOUT


def test_what_never_gets_the_processor_is_starved(monkeypatch):
    with running(BUSY) as pids:
        os.kill(pids[0], signal.SIGSTOP)
        assert wait_for(Stopwatch(lambda: pids), 0.3) is Overdue.STARVED


@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="needs a scheduler that can be told")
def test_busy_neighbours_take_no_time_away(monkeypatch):
    """It would be done in its time alone; the neighbours leave it next to nothing."""
    monkeypatch.setattr(stopwatch, "PATIENCE", 2)
    cores = len(os.sched_getaffinity(0))
    with running(IDLE + BUSY) as pids, running(BUSY, 4 * cores):
        time.sleep(0.5)
        watch = Stopwatch(lambda: pids, may_sleep=True)
        assert wait_for(watch, 1.5) is Overdue.STARVED


def test_time_on_the_wall_counts_where_nothing_is_told(monkeypatch):
    monkeypatch.setattr(stopwatch, "cpu_seconds", lambda process: None)
    assert wait_for(Stopwatch(lambda: [os.getpid()]), 0.2) is Overdue.TIMEOUT
