"""How fast a class is graded, side by side: `python -m autograder.tests.benchmarks.grade_class`.

The same submissions, made of right and wrong repairs of several lessons, are graded by stock
`nbgrader autograde` (its own Execute, the check running in the kernel) and by `autograder grade`
with the sandbox on. Marks must be the same. Needs a checkout.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from autograder.classroom.course_folder import make_course
from autograder.lessons.course import Course, find_course
from autograder.lessons.solutions import own_solution
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.notebook import nbformat
from autograder.model.report import SCHEMA
from autograder.processes.usage import descendants
from autograder.sandbox import protection
from autograder.sandbox.confinement import MEANING
from autograder.tests.helpers.courses import accept_limits
from plnkit.machine import environment

LESSONS = ("static_branch", "safe_where", "early_stop", "scan_fit")
STOCK = "stock"
POLL_SECONDS = 2.0


@dataclass
class Cost:
    """What a command cost: seconds of wall clock and of CPU, peak bytes of all its processes."""

    wall: float
    cpu: float
    peak: int


def _memory(root: int) -> int:
    """Bytes that a process and all below it take, what they share counted once."""
    total = 0
    for process in (root, *descendants(root)):
        with contextlib.suppress(psutil.Error):  # it has ended
            total += psutil.Process(process).memory_full_info().pss
    return total


def _adopt() -> None:
    """Let orphans below this process become its children, so that their CPU time is counted."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def _reap() -> None:
    """Wait for what the command has left behind."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def measured(command: Sequence[str], folder: Path) -> Cost:
    """Run a command to its end and measure it, with all the processes that it started.

    Raises:
        RuntimeError: it failed; the message is the end of what it said.
    """
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    settings = {**os.environ, "PATH": path}
    settings.pop("PYTHONDONTWRITEBYTECODE", None)  # each process would compile what it imports
    _adopt()
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=folder, env=settings, stdout=log, stderr=log)
        peak, done = 0, threading.Event()

        def watch() -> None:
            nonlocal peak
            while not done.wait(POLL_SECONDS):
                peak = max(peak, _memory(process.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        status = process.wait()
        done.set()
        watcher.join()
        wall = time.monotonic() - started
        _reap()
        if status not in (0, 3):  # 3: graded, and somebody should look at some of it
            log.seek(0)
            raise RuntimeError(log.read().decode(errors="replace")[-2000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(wall, cpu, peak)


def hand_in(course: Path, root: Path, count: int, names: Sequence[str] = LESSONS) -> list[str]:
    """Hand `count` submissions in, the lessons taking turns; right and wrong ones alternate."""
    released, lessons = {}, {x.name: x for x in Course(root).lessons()}
    sources: dict[str, list[tuple[str, str | None]]] = {}
    for name in names:
        found = [s for s in find_submissions(root, name) if s.kind in ("right", "wrong")]
        found = [s for s in found if s.exercise == lessons[name].rubric.exercises[0].name]
        right = [s for s in found if s.kind == "right"]
        wrong = [s for s in found if s.kind == "wrong"]
        mixed = [s for pair in zip(right * len(wrong), wrong, strict=False) for s in pair]
        sources[name] = [(s.exercise, s.source) for s in mixed]
        released[name] = nbformat.read(course / "release" / name / f"{name}.ipynb", as_version=4)
    students = []
    for i in range(count):
        name = names[i % len(names)]
        exercise, source = sources[name][(i // len(names)) % len(sources[name])]
        student = f"student{i // len(names):03d}"
        students.append(student)
        notebook: Any = copy.deepcopy(released[name])
        for cell in notebook["cells"]:
            if cell["id"] == f"{exercise}-solution":
                cell["source"] = source
            elif cell["id"].endswith("-solution"):
                other = cell["id"].removesuffix("-solution")
                cell["source"] = own_solution(lessons[name], other)
        target = course / "submitted" / student / name / f"{name}.ipynb"
        target.parent.mkdir(parents=True)
        nbformat.write(notebook, target)
    return sorted(set(students))


def marks(course: Path, names: Sequence[str] = LESSONS) -> dict[str, float | None]:
    """Automatic score of every check cell but those of speed, by student, assignment and cell."""
    from nbgrader.api import Gradebook

    found = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for name in names:
            for submission in gradebook.assignment_submissions(name):
                for grade in submission.notebooks[0].grades:
                    if grade.cell.cell_type == "code" and not grade.name.endswith(
                        ("_speed", "_defence")
                    ):
                        found[f"{submission.student.id} {grade.name}"] = grade.auto_score
    return found


def _leave_stock_settings(course: Path) -> None:
    """Leave of the config only what releases the lessons: grading is nbgrader's own."""
    path = course / "nbgrader_config.py"
    text = path.read_text(encoding="utf-8")
    kept = text[: text.index("# Grading:")]
    path.write_text(kept + "c.Execute.timeout = 300\n", encoding="utf-8")


def prepare(course: Path, count: int, names: Sequence[str] = LESSONS) -> None:
    """Make a course with submissions: the same in each folder, but for its settings."""
    root = find_course().root
    make_course(course, Course(root))
    accept_limits(course)
    if course.name == STOCK:
        _leave_stock_settings(course)
    for lesson in names:
        measured([sys.executable, "-m", "nbgrader", "generate_assignment", lesson], course)
    hand_in(course, root, count, names)


def compare(
    folder: Path,
    count: int,
    jobs: int | None,
    names: Sequence[str] = LESSONS,
    *,
    with_stock: bool,
) -> dict[str, Any]:
    """Grade both courses and return what each cost."""
    stock, ours = folder / STOCK, folder / "ours"
    for course in (stock, ours) if with_stock else (ours,):
        prepare(course, count, names)
    costs: dict[str, list[Cost]] = {"autograder grade": [], "nbgrader autograde": []}
    more = ["--jobs", str(jobs)] if jobs else []
    for lesson in names if with_stock else ():  # it takes one assignment at a time
        command = [sys.executable, "-m", "nbgrader", "autograde", lesson]
        costs["nbgrader autograde"].append(measured(command, stock))
    command = [sys.executable, "-m", "autograder", "grade", str(ours), *names, *more]
    costs["autograder grade"].append(measured(command, ours))
    if with_stock:
        theirs, mine = marks(stock, names), marks(ours, names)
        different = {k: (theirs.get(k), mine[k]) for k in mine if theirs.get(k) != mine[k]}
        if different or len(theirs) != len(mine):
            raise RuntimeError(f"the marks differ: {different}")
    return {
        name: {
            "wall_seconds": round(sum(c.wall for c in some), 1),
            "cpu_seconds": round(sum(c.cpu for c in some), 1),
            "peak_MB": round(max(c.peak for c in some) / 1e6),
            "per_minute": round(60 * count / sum(c.wall for c in some), 1),
        }
        for name, some in costs.items()
        if some
    }


def main() -> None:
    import jax

    parser = argparse.ArgumentParser(
        prog="python -m autograder.tests.benchmarks.grade_class", description=__doc__
    )
    parser.add_argument("--submissions", type=int, default=40)
    parser.add_argument("--lessons", nargs="+", default=list(LESSONS), metavar="NAME")
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--ours-only", action="store_true", help="leave stock nbgrader out")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="autograder-benchmark-") as folder:
        result = compare(
            Path(folder),
            options.submissions,
            options.jobs,
            options.lessons,
            with_stock=not options.ours_only,
        )
    for name, row in result.items():
        print(f"{name:<20}", *(f"{key} {value}" for key, value in row.items()), sep="  ")
    if not options.ours_only:
        ratio = result["nbgrader autograde"]["wall_seconds"]
        ratio /= result["autograder grade"]["wall_seconds"]
        print(f"{ratio:.1f} times faster; the marks are the same")
    if options.json:
        command = " ".join(["python -m autograder.tests.benchmarks.grade_class", *sys.argv[1:]])
        data = {
            "schema": SCHEMA,
            "environment": environment(jax.devices()[0], command),
            "submissions": options.submissions,
            "lessons": options.lessons,
            "sandbox": MEANING[protection()],
            "rows": result,
        }
        options.json.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
