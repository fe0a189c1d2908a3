"""A class for tests: what is handed in, nbgrader as it is called, and its gradebook."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from autograder.classroom.command import NEEDS_REVIEW
from autograder.classroom.course_config import CONFIG_FILE
from autograder.processes.child_process import with_kit
from autograder.sandbox import Protection, protection

RIGHT = """
from functools import partial

@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
"""
ASSIGNMENT = "static_branch"


def accept_limits(course: Path) -> Path:
    """Let a course be graded on any machine: its submissions are the tests' own."""
    config = course / CONFIG_FILE
    text = config.read_text(encoding="utf-8")
    config.write_text(f"{text}\nc.GradeIsolated.limits_only = True\n", encoding="utf-8")
    return course


def all_graded() -> int:
    """Return the exit status where nothing is left to review but what confined submissions here."""
    return NEEDS_REVIEW if protection() is Protection.LIMITS else 0


def nbgrader(
    course: Path,
    *arguments: str,
    python: str | Path = sys.executable,
    env: Mapping[str, str] = os.environ,
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(Path(sys.executable).parent), env.get("PATH", "")])
    return subprocess.run(
        [python, "-m", "nbgrader", *arguments],
        cwd=course,
        env={**env, "PATH": path},
        capture_output=True,
        text=True,
    )


@contextlib.contextmanager
def gradebook_of(course: Path) -> Iterator[Any]:
    """Open the gradebook; Any, as SQLAlchemy's types take a row's values for columns."""
    from nbgrader.api import Gradebook

    with warnings.catch_warnings():  # SQLAlchemy's, about what nbgrader does
        warnings.simplefilter("ignore")
        with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
            yield gradebook


def scores(course: Path) -> dict[str, tuple[float | None, bool]]:
    """Automatic score and needs_manual_grade of everybody's cell, from the gradebook."""
    found = {}
    with gradebook_of(course) as gradebook:
        for submission in gradebook.assignment_submissions(ASSIGNMENT):
            (notebook,) = submission.notebooks
            grade = next(g for g in notebook.grades if g.name == ASSIGNMENT)
            found[submission.student.id] = (grade.auto_score, grade.needs_manual_grade)
    return found


def start_autograder(
    *arguments: str | Path,
    python: str | Path = sys.executable,
    env: Mapping[str, str] = os.environ,
) -> subprocess.Popen[str]:
    """The command line as a process group of its own, its output to be read."""
    return subprocess.Popen(
        [python, "-m", "autograder", *map(str, arguments)],
        env=with_kit(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def autograder(*arguments: str | Path, **machine: Any) -> tuple[int, str]:
    """Exit status of the command line, and all it said; for `machine` see `start_autograder`."""
    with start_autograder(*arguments, **machine) as process:
        printed, _ = process.communicate()
    return process.returncode, printed


def exports(course: Path, *options: str) -> dict[str, bytes]:
    """What nbgrader exports of the gradebook: its own table, and the kit's by criterion."""
    criteria = "autograder.nbgrader_bridge.export.CriteriaExport"
    for more in ((), ("--exporter", criteria)):
        done = nbgrader(course, "export", *more, *options)
        assert done.returncode == 0, done.stderr
    return {name: (course / name).read_bytes() for name in ("grades.csv", "criteria.csv")}
