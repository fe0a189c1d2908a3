"""The checks of a course as pytest items: `pytest -p autograder.lessons.verification.items SCRIPT`.

A lesson's script has an item for each of its submissions, and for its hints, its list of
submissions, and running its notebook. With pytest-xdist, an item that ends or hangs its process is
named, and the others go on.
"""

from __future__ import annotations

import faulthandler
import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from autograder.lessons.course import open_lessons
from autograder.lessons.lesson import Lesson
from autograder.lessons.verification.in_process import check_submission
from autograder.lessons.verification.kernel_runs import run_lesson
from autograder.lessons.verification.requirements import (
    TIERS_OF_A_DRILL,
    hint_problems,
    missing_submissions,
)
from autograder.lessons.verification.submissions import find_all_submissions
from autograder.processes import child_process

SECONDS = 300.0
"""How long one submission may take, by default. The slowest of the kit's takes 60 on a slow
machine."""
PROBLEMS = "problems"
"""User property of pytest's reports on these items: what is wrong, one sentence each."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that `autograder verify` passes on."""
    group = parser.getgroup("autograder-verify", "the two-sided check of lessons")
    group.addoption("--only", default="", help="grade only submissions with this in their name")
    group.addoption("--seconds", type=float, default=SECONDS, help="that a submission may take")
    group.addoption("--timed", default="", help="the lesson whose speed is measured")


def pytest_configure(config: pytest.Config) -> None:
    """Keep a process of xdist's to one core.

    Its judge and its kernels work only while it waits, and XLA's threads would slow the other
    processes down.
    """
    worker = getattr(config, "workerinput", None)
    if worker is not None:
        child_process.pin_to_one_core(int(worker["workerid"].removeprefix("gw")))


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> LessonScript | None:
    """Collect a lesson's script, which pytest would run, as a lesson."""
    if module_path.parent.name != "solutions":
        return None
    return LessonScript.from_parent(parent, path=module_path)


class LessonScript(pytest.File):
    """The script of a lesson, and with it all that a lesson must have."""

    def collect(self) -> Iterator[CheckItem]:
        """Yield the lesson's checks; with `--only`, some of its submissions."""
        root, only = self.path.parents[1], str(self.config.getoption("--only"))
        lesson = open_lessons(root).lesson(self.path.stem.partition("_")[2])
        if lesson is None:
            return
        timed = self.config.getoption("--timed") == lesson.name
        checks: dict[str, Callable[[], list[str]]] = {}
        if not only:
            checks["runs"] = partial(run_lesson, lesson, timed=timed)
            checks["submissions"] = partial(missing_submissions, lesson, root)
            checks["hints"] = partial(_find_hint_problems, lesson)
        known = {exercise.name for exercise in lesson.rubric.exercises} | set(lesson.drill_names)
        for one in find_all_submissions(root, lesson.name):
            if only in one.name and one.exercise in known:
                checks[one.name] = partial(check_submission, lesson, one)
        for name, check in checks.items():
            yield CheckItem.from_parent(self, name=name, check=check)


class CheckItem(pytest.Item):
    """One check, which returns its problems."""

    def __init__(self, check: Callable[[], list[str]], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.check = check

    def runtest(self) -> None:
        """Make the check, and keep its problems for the report."""
        with open(os.devnull, "w") as nowhere:
            if self.name != "runs" and hasattr(self.config, "workerinput"):
                # It ends the process, even where no Python code can run; xdist starts another.
                seconds = float(str(self.config.getoption("--seconds")))
                faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
            try:
                problems = self.check()
            finally:
                faulthandler.cancel_dump_traceback_later()
        self.user_properties.append((PROBLEMS, problems))
        if problems:
            pytest.fail("\n".join(problems), pytrace=False)


def _find_hint_problems(lesson: Lesson) -> list[str]:
    problems = [p for exercise in lesson.rubric.exercises for p in hint_problems(exercise)]
    drills = lesson.drills.exercises if lesson.drills else ()
    return problems + [p for drill in drills for p in hint_problems(drill, TIERS_OF_A_DRILL)]
