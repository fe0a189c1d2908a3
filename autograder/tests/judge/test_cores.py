"""Right answers on machines with many cores and with one, which this machine pretends to be."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
FULL_MARKS = {"static_branch": ["9 / 9"], "pytree_class": ["10 / 10 (+2 pending)"]}
FEW_THREADS = 60

GRADE = """
import json, os, sys
from pathlib import Path
from autograder.lessons.course import Course
from autograder.model.notebook import Notebook
from autograder.judge.client import Judge
from autograder.grading.pipeline import grade_notebook
from autograder.model.terms import Terms
from autograder.lessons.solutions import lesson_cells, own_solution
from autograder.sandbox import confinement as sandbox
from autograder.sandbox import zygote_client

shim, root, *names = sys.argv[1:]
sandbox._SYSTEM = (*sandbox._SYSTEM, shim)
zygote_client._KEPT = (*zygote_client._KEPT, "LD_PRELOAD", "CORES")
judge = Judge()
told = {"cores": len(os.sched_getaffinity(0)), "marks": {}}
for lesson in Course(Path(root)).lessons():
    if lesson.name not in names:
        continue
    exercise = lesson.rubric.exercises[-1].name
    cells = tuple(lesson_cells(lesson, exercise, own_solution(lesson, exercise)))
    terms = Terms(lesson.rubric, judge, 7)
    for report in grade_notebook(Notebook(lesson.name, cells), "x", terms).reports:
        found = [f.message for c in report.criteria for f in c.findings]
        told["marks"][report.exercise] = [report.mark(), *found]
told["threads"] = len(os.listdir(f"/proc/{judge._child.process.pid}/task"))
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def shim(tmp_path_factory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs Linux and a C compiler, for a machine of other cores to be pretended")
    library = tmp_path_factory.mktemp("shim") / "cores.so"
    command = [compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "cores.c", "-ldl"]
    subprocess.run(command, check=True)
    return library


def grade_with(shim: Path, root: Path, cores: int, lessons: list[str]) -> dict:
    environment = {**os.environ, "LD_PRELOAD": str(shim), "CORES": str(cores)}
    command = [sys.executable, "-c", GRADE, str(shim), str(root), *lessons]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize(("cores", "lessons"), [(64, [*FULL_MARKS]), (1, ["static_branch"])])
@pytest.mark.slow
def test_right_answers_get_full_marks(shim, root, cores, lessons):
    reported = grade_with(shim, root, cores, lessons)
    assert reported["cores"] == cores
    assert reported["marks"] == {lesson: FULL_MARKS[lesson] for lesson in lessons}
    assert reported["threads"] < FEW_THREADS


def test_a_process_of_any_number_is_pinned_to_a_core_that_is_there(shim):
    text = (
        "import os; from autograder.processes import child_process as child;"
        "child.pin_to_one_core(63); print(child.count_cores(), len(os.sched_getaffinity(0)))"
    )
    environment = {**os.environ, "LD_PRELOAD": str(shim), "CORES": "64"}
    command = [sys.executable, "-c", text]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "1"]
