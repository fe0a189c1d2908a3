"""What is read of processes: of this one, of its children whatever their names, of none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.core.process_usage import (
    cpu_seconds,
    descendants,
    proportional_bytes,
    resident_bytes,
)

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="no /proc here")

NAMED = """
import ctypes, sys
name = sys.argv[1].encode("latin-1")
ctypes.CDLL(None).prctl(15, name, 0, 0, 0)  # PR_SET_NAME
print(flush=True)
sys.stdin.read()
"""
FORKED = """
import os, sys
child = os.fork()
if child:
    print(child, flush=True)
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


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="no smaps_rollup here")
def test_shared_memory_counts_in_part():
    command = [sys.executable, "-c", FORKED]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        # Forked, it shares all that it has; the kernel counts what is resident in batches.
        assert 0 < proportional_bytes(child) < 0.9 * resident_bytes(child)
        parent.communicate()


def test_of_a_process_that_is_gone_nothing_is_known():
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert cpu_seconds(child.pid) is None
    assert resident_bytes(child.pid) == proportional_bytes(child.pid) == 0
    assert list(descendants(child.pid)) == []


def test_cpu_time_grows_with_work():
    before = cpu_seconds(os.getpid())
    while sum(os.times()[:4]) < (before or 0) + 0.1:
        sum(range(10_000))
    after = cpu_seconds(os.getpid())
    assert before is not None and after is not None
    assert 0.05 < after - before < 10
