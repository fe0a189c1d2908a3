"""The result store keeps every complete line, whatever happens to the others."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.grading.store import Store, result_digest
from autograder.model.graded import Graded
from autograder.model.report import CriterionResult, Report, Status

REPORT = Report("lesson", "f", (CriterionResult("outputs", Status.PASSED, 4, 4, "proved"),))
GRADED = Graded((REPORT,), {"f": b"\x00program"}, 1.5, ("a note",))


def test_round_trip(tmp_path):
    store = Store(tmp_path / "deep" / "results.jsonl")
    assert store.get("a") is None
    store.add("a", GRADED)
    assert store.get("a") == GRADED
    assert Store(tmp_path / "deep" / "results.jsonl").get("a") == GRADED


def test_the_latest_result_counts(tmp_path):
    store = Store(tmp_path / "results.jsonl")
    for seconds in (1.0, 2.0):
        store.add("a", Graded((REPORT,), {}, seconds))
    again = store.get("a")
    assert again is not None and again.seconds == 2.0
    assert len(store) == 1


def test_what_others_add_is_found(tmp_path):
    """The grader adds results while nbgrader's converter has the store open to record them."""
    early, other = (Store(tmp_path / "results.jsonl") for _ in range(2))
    assert early.get("a") is None
    other.add("a", GRADED)
    assert early.get("a") == GRADED


@settings(max_examples=60, deadline=None)
@given(cut=st.integers(0, 2000), rest=st.binary(max_size=50))
def test_cut_off_anywhere(tmp_path_factory, cut, rest):
    path = tmp_path_factory.mktemp("store") / "results.jsonl"
    store = Store(path)
    for name in "abc":
        store.add(name, GRADED)
    whole = path.read_bytes()
    lines = whole.splitlines(keepends=True)
    kept = whole[: min(cut, len(whole))]
    path.write_bytes(kept + rest.replace(b"\n", b""))
    after = Store(path)
    complete = sum(len(b"".join(lines[: i + 1])) <= len(kept) for i in range(3))
    assert [after.get(name) is not None for name in "abc"][:complete] == [True] * complete
    after.add("new", GRADED)
    assert Store(path).get("new") == GRADED


def _append(path: Path, prefix: str) -> None:
    store = Store(path)
    for i in range(50):
        store.add(f"{prefix}{i}", GRADED)


@pytest.mark.slow
def test_two_graders_at_once(tmp_path):
    path = tmp_path / "results.jsonl"
    context = multiprocessing.get_context("spawn")
    both = [context.Process(target=_append, args=(path, prefix)) for prefix in "ab"]
    for process in both:
        process.start()
    for process in both:
        process.join()
        assert process.exitcode == 0
    assert len(Store(path)) == 100


KILLED = """
import sys
from pathlib import Path
from autograder.grading.store import Store
from autograder.tests.grading.test_store import GRADED
store = Store(Path(sys.argv[1]))
print("ready", flush=True)
for i in range(10**6):
    store.add(str(i), GRADED)
    print(i, flush=True)
"""


@pytest.mark.slow
def test_killed_while_writing(tmp_path):
    path = tmp_path / "results.jsonl"
    for wait in (0.0, 0.013, 0.05):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.stdout.readline()
        time.sleep(wait)
        os.kill(process.pid, signal.SIGKILL)
        printed = [line for line in process.stdout.read().split("\n")[:-1] if line]
        process.wait()
        process.stdout.close()
        store = Store(path)
        assert all(store.get(line) for line in printed)  # what was said to be kept is kept


def test_digests_tell_parts_apart():
    assert result_digest("a", "b") != result_digest("ab", "")
