"""What processes use, whatever their names, and whose time it is: neighbours' does not count."""

from __future__ import annotations

import contextlib
import itertools
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

import psutil
import pytest

from autograder.processes import usage
from autograder.processes.usage import (
    Overdue,
    Stopwatch,
    count_threads,
    cpu_seconds,
    descendants,
    resident_bytes,
    slowness,
)

NAMED = """
import ctypes, sys
name = sys.argv[1].encode("latin-1")
ctypes.CDLL(None).prctl(15, name, 0, 0, 0)  # PR_SET_NAME
print(flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("name", ["plain", ") Z 1 1 (", "\xff\xfe"])
def test_a_child_is_seen_whatever_its_name(name):
    command = [sys.executable, "-c", NAMED, name]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        assert child.pid in descendants(os.getpid())
        assert child.pid not in descendants(child.pid)
        assert resident_bytes(child.pid) > 1e6
        spent = cpu_seconds(child.pid)
        assert spent is not None and 0 <= spent < 60
        child.communicate()
    assert child.pid not in descendants(os.getpid())


def test_of_a_process_that_is_gone_nothing_is_known():
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert cpu_seconds(child.pid) is None
    assert resident_bytes(child.pid) == 0
    assert descendants(child.pid) == []


def test_cpu_time_grows_with_work():
    before = cpu_seconds(os.getpid())
    while sum(os.times()[:4]) < (before or 0) + 0.1:
        sum(range(10_000))
    after = cpu_seconds(os.getpid())
    assert before is not None and after is not None
    assert 0.05 < after - before < 10


# --- the stopwatch -------------------------------------------------------------------------------

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


class WatchOf(Stopwatch):
    """Times these processes, which have other relatives."""

    def __init__(self, pids, **options):
        self._pids = pids
        super().__init__(0, **options)

    def _processes(self):
        return self._pids


def wait_for(watch: Stopwatch, limit: float) -> Overdue | None:
    end = time.monotonic() + 20 * limit
    while (found := watch.overdue(limit)) is None and time.monotonic() < end:
        time.sleep(0.02)
    return found


@pytest.mark.parametrize("may_sleep", [True, False])
def test_what_computes_for_too_long(may_sleep):
    with running(BUSY) as pids:
        watch = WatchOf(pids, may_sleep=may_sleep)
        assert watch.overdue(0.5) is None
        assert wait_for(watch, 0.5) is Overdue.TIMEOUT


def test_a_slow_machine_gets_more_time(monkeypatch):
    with running(BUSY) as pids:
        monkeypatch.setattr(usage, "slowness", lambda: 3.0)
        watch = WatchOf(pids)
        before = cpu_seconds(pids[0]) or 0.0
        assert wait_for(watch, 0.3) is Overdue.TIMEOUT
        assert (cpu_seconds(pids[0]) or 0.0) - before >= 0.9


def test_how_slow_a_machine_is(monkeypatch):
    for took, expected in [(0.001, 1.0), (0.009, 2.0), (0.1, 4.0)]:
        monkeypatch.setattr(time, "thread_time", itertools.count(0.0, took).__next__)
        assert slowness() == pytest.approx(expected)


@pytest.mark.slow
def test_all_processes_share_one_limit():
    """Many processes on many cores do not get the limit each."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2
    if cores < 2:
        pytest.skip("needs two cores")
    with running(BUSY, 4) as pids:
        began = time.monotonic()
        watch = WatchOf(pids, may_sleep=True)
        assert wait_for(watch, 4.0) is Overdue.TIMEOUT
        used = sum(cpu_seconds(pid) or 0.0 for pid in pids)
        assert used < 1.5 * 4.0 * slowness() and time.monotonic() - began < 16 * slowness()


def test_looking_costs_little():
    """Each keeper looks twenty times a second, and a class has many."""
    with running("import time; time.sleep(600)", 10) as pids:
        assert set(pids) <= set(descendants(os.getpid()))
        ours = _cost(lambda: [resident_bytes(pid) for pid in descendants(os.getpid())])
        psutils = _cost(lambda: psutil.Process().children(recursive=True))
    if usage._LISTS_CHILDREN:
        assert ours < psutils


def _cost(look: Callable[[], object]) -> float:
    """CPU seconds of some looks: the least of several tries."""
    tries = []
    for _ in range(5):
        started = time.process_time()
        for _ in range(20):
            look()
        tries.append(time.process_time() - started)
    return min(tries)


def test_both_ways_of_looking_agree(monkeypatch):
    code = "import threading, time; [threading.Thread(target=time.sleep, args=(600,)).start() "
    with running(code + "for _ in range(4)]", 3) as pids:
        time.sleep(1.0)
        views = []
        for lists in {usage._LISTS_CHILDREN, False}:
            monkeypatch.setattr(usage, "_LISTS_CHILDREN", lists)
            assert set(pids) <= set(descendants(os.getpid()))
            views.append([(count_threads(p), resident_bytes(p), cpu_seconds(p)) for p in pids])
        for view in views:
            assert [threads for threads, _, _ in view] == [5, 5, 5]
        for one, other in zip(views[0], views[-1], strict=True):
            assert one[1:] == pytest.approx(other[1:], rel=0.05, abs=0.05)


def test_what_sleeps_for_too_long_where_it_may():
    with running("import time; time.sleep(600)") as pids:
        assert wait_for(WatchOf(pids, may_sleep=True), 1.0) is Overdue.STALLED


@pytest.mark.gate
def test_what_never_gets_the_processor_is_starved(monkeypatch):
    with running(BUSY) as pids:
        os.kill(pids[0], signal.SIGSTOP)
        assert wait_for(WatchOf(pids), 0.3) is Overdue.STARVED


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "SCHED_IDLE"), reason="needs a scheduler that can be told")
def test_busy_neighbours_take_no_time_away(monkeypatch):
    """It would be done in its time alone; the neighbours leave it next to nothing."""
    monkeypatch.setattr(usage, "PATIENCE", 2)
    cores = len(os.sched_getaffinity(0))
    with running(IDLE + BUSY) as pids, running(BUSY, 4 * cores):
        time.sleep(0.5)
        watch = WatchOf(pids, may_sleep=True)
        assert wait_for(watch, 1.5) is Overdue.STARVED


def test_time_on_the_wall_counts_where_nothing_is_told(monkeypatch):
    monkeypatch.setattr(usage, "cpu_seconds", lambda process: None)
    assert wait_for(Stopwatch(os.getpid()), 0.2) is Overdue.TIMEOUT
