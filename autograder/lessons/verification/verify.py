"""`autograder verify`: all checks of a course as rows of a table, made by pytest (`items.py`)."""

from __future__ import annotations

import importlib.util
import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from rich.console import Console

from autograder.lessons.course import Course
from autograder.lessons.exercises import check_exercises
from autograder.lessons.lesson import LessonError
from autograder.lessons.verification.compilation_cache import share_compilations
from autograder.lessons.verification.items import PROBLEMS, SECONDS
from autograder.lessons.verification.submissions import find_all_submissions
from autograder.model.report import SCHEMA
from autograder.processes.child_process import count_cores
from autograder.render.progress import progress
from autograder.render.terminal import plain

ENDED = "it ended the process that checks it: does it call os._exit?"
ENDLESS = "it took longer than {seconds:g} s: does its loop end?"


@dataclass(frozen=True)
class Row:
    """One check; `problems` is empty when it passes."""

    lesson: str
    what: str
    problems: list[str]
    seconds: float = 0.0


class RowWriter:
    """A plug-in of pytest's that makes a row of each report.

    Args:
        say: called with each row.
        limit: see `verify_course`.
    """

    def __init__(self, say: Callable[[Row], None], limit: float) -> None:
        self._say = say
        self._limit = limit
        self._began: dict[str, float] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Remember when a check began: whether one that ends its process has hung it."""
        self._began[nodeid] = time.monotonic()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Make a row of a check's result, or of xdist's report that its process has ended."""
        if report.when in ("setup", "teardown") and report.passed:
            return
        properties = dict(report.user_properties)
        problems: Any = properties.get(PROBLEMS, [str(report.longrepr)])
        seconds = report.duration
        if report.when not in ("setup", "call", "teardown"):  # xdist's own: the process has ended
            seconds = time.monotonic() - self._began.get(report.nodeid, time.monotonic())
            hung = seconds >= self._limit
            problems = [ENDLESS.format(seconds=self._limit) if hung else ENDED]
        path, _, what = report.nodeid.partition("::")
        lesson = Path(path).stem.partition("_")[2]
        self._say(Row(lesson, what, problems, round(seconds, 2)))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Raise what keeps a lesson from being read."""
        if report.failed:
            raise RuntimeError(f"{report.nodeid}: {report.longrepr}")

    def pytest_internalerror(self, excrepr: object) -> None:
        """Raise an error of pytest's, which would show it on a terminal report that is off."""
        raise RuntimeError(f"pytest failed: {excrepr}")


def verify_course(
    course: Course,
    lessons: Sequence[str],
    say: Callable[[Row], None],
    only: str = "",
    jobs: int | None = None,
    limit: float = SECONDS,
) -> None:
    """Check the course, or some of its lessons.

    Without pytest-xdist, one process makes all checks, and what ends or hangs it ends the whole.

    Args:
        course: the lesson folder.
        lessons: names; all where there are none.
        say: called with each row as it is ready.
        only: grade only the submissions whose name holds this, and run no notebook.
        jobs: processes; one a core by default.
        limit: seconds that one submission may take.

    Raises:
        LessonError: no such lesson, or no submission has `only` in its name.
    """
    known = {lesson.name: lesson for lesson in course.lessons()}
    if unknown := sorted(set(lessons) - set(known)):
        raise LessonError(f"there is no lesson {unknown[0]!r}; the lessons are: {list(known)}")
    chosen = [lesson for name, lesson in known.items() if not lessons or name in lessons]
    submissions = [one for x in chosen for one in find_all_submissions(course.root, x.name)]
    if only and not any(only in one.name for one in submissions):
        raise LessonError(f"no submission of these lessons has {only!r} in its name")
    if not only:
        say(Row("", "notebooks and syllabus", check_exercises(course)))
    # The speed of one lesson is measured; that of the others would wait for the same code.
    timed = [x.name for x in chosen if any("speed" in e.points for e in x.rubric.exercises)]
    arguments = [
        *(str(lesson.script) for lesson in chosen),
        *("-p", "autograder.lessons.verification.items", f"--only={only}"),
        f"--seconds={limit}",
        *(f"--timed={name}" for name in timed[:1]),
        *("-c", os.devnull, "--rootdir", str(course.root), "--noconftest", "--assert=plain"),
        *(f"-pno:{name}" for name in ("terminal", "cacheprovider", "warnings", "logging")),
        "--capture=no",
    ]
    if importlib.util.find_spec("xdist"):
        # Its schedulers by group run again what has ended its process. This one gives each process
        # neighbours, so most of a lesson stays together.
        arguments += ["-p", "xdist", f"-n{jobs or count_cores()}", "--dist=load"]
        arguments += [f"--max-worker-restart={len(submissions)}"]
    # No plug-in of another project, and no option of its user, decides what is checked here.
    settings = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}
    with share_compilations(course.root), patch.dict(os.environ, settings):
        status = pytest.main(arguments, plugins=[RowWriter(say, limit)])
    if status == pytest.ExitCode.INTERRUPTED:
        raise KeyboardInterrupt
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        raise RuntimeError(f"pytest could not make the checks: {pytest.ExitCode(status).name}")


def show_verification(
    course: Course, lessons: Sequence[str], only: str, jobs: int | None, json_file: Path | None
) -> int:
    """Print a line for each row of `verify_course`, and return the number of problems."""
    console = Console(highlight=False, soft_wrap=True)
    began = time.monotonic()
    rows: list[Row] = []

    def show(row: Row) -> None:
        rows.append(row)
        steps.finish()
        mark = plain("✗", "red") if row.problems else plain("✓", "green")
        console.print(mark, plain(f"{row.lesson:<18} {row.what}"))
        for problem in row.problems:
            console.print(plain(f"    {problem}"))

    with progress("verifying", console=console, lines=False) as steps:
        verify_course(course, lessons, show, only, jobs)
    count = sum(len(row.problems) for row in rows)
    good = sum(not row.problems for row in rows)
    seconds = time.monotonic() - began
    console.print(f"{good} of {len(rows)} rows are right; {count} problems; {seconds:.0f} s")
    if json_file is not None:
        numbers = {lesson.name: lesson.number for lesson in course.lessons()}
        rows.sort(key=lambda row: (numbers.get(row.lesson, 0), row.what == "runs", row.what))
        table = {"schema": SCHEMA, "rows": [asdict(row) for row in rows]}
        json_file.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    return count
