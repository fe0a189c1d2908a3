import contextlib
from dataclasses import replace
from pathlib import Path

import pytest

from autograder.grading.run import calls_to_export
from autograder.model.notebook import Cell
from autograder.model.rubric import PUBLIC_KEY
from autograder.model.rubric_files import load_rubric
from autograder.sandbox import Limits, Processes
from autograder.source import JittedFunction
from autograder.tests.helpers.drawn import whole_notebook

RUBRIC = load_rubric("static_reshape")
DRAWN = RUBRIC.draw("static_reshape", PUBLIC_KEY)
CALLS = {DRAWN: calls_to_export(DRAWN)}
RIGHT = """
import jax, jax.numpy as jnp
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
"""


def observe(source, seconds=60.0, **changes):
    cells = [Cell("solution", source, "solution"), Cell("check", "1 / 0", "check")]
    attempt = replace(whole_notebook(cells, DRAWN.name), **changes)
    return Processes(Limits(seconds=seconds)).observe(attempt, CALLS)[DRAWN.name]


@pytest.mark.gate
def test_programs_come_back_one_a_call():
    observation = observe(RIGHT)
    assert observation.refused is None
    assert len(observation.programs) == len(CALLS[DRAWN]) == 14
    assert all(p is not None for p in observation.programs)


def test_what_calls_return_comes_back_where_it_may_differ():
    """What is proved is not called."""
    jitted = {DRAWN.name: JittedFunction(("counts",))}
    proved = observe(RIGHT, unproved=None, jitted=jitted)
    assert proved.second_process == ()
    assert proved.observed == {"purity": (), "compilations": ()}
    assert proved.watched == (None,) * len(proved.watched)
    unproved = observe(RIGHT.replace("    return", "    print(counts)\n    return"))
    assert len(unproved.watched) == len(proved.watched) > 0
    assert all(returned is not None for returned in unproved.watched)
    assert len(unproved.second_process) == 2 * len(proved.watched)


@pytest.mark.gate
def test_endless_cell_is_stopped():
    observation = observe("while True: pass", seconds=3)
    assert observation.refused is not None
    reason, finding = observation.refused
    assert reason == "timeout"
    assert "took longer than 3 s" in finding.message


def running(words: bytes) -> list[str]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if words in (process / "cmdline").read_bytes():
                found.append(process.name)
    return found


DAEMON = """
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execlp("sleep", "sleep", "4321.5")
    os._exit(0)
os.wait()
"""


@pytest.mark.gate
@pytest.mark.parametrize(
    ("start", "seconds"),  # each its own, since both may run at the same time
    [
        ('import subprocess\nsubprocess.Popen(["sleep", "4321.25"])\n', b"4321.25"),
        (DAEMON, b"4321.5"),
    ],
    ids=["child", "daemon"],
)
def test_background_processes_end_with_the_worker(start, seconds):
    assert observe(start + RIGHT).refused is None
    assert not running(seconds)


@pytest.mark.parametrize(
    "source",
    [
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        "import os\nos.write(3, b'x' * 100)\nos._exit(0)",
        "import os\nfor fd in range(3, 9):\n  try: os.write(fd, b'\\0\\0\\0\\2{}')\n"
        "  except OSError: pass\nos._exit(0)",
    ],
)
def test_death_and_forged_frames(source):
    observation = observe(source)
    assert observation.refused is not None
    assert observation.refused[0] == "worker-died"


@pytest.mark.gate
def test_what_the_student_prints_does_not_matter():
    source = RIGHT + "\nimport os, sys\nprint('x' * 10**6)\nos.write(1, b'noise')\n"
    assert observe(source).refused is None
