"""A submission in a text, as a module whose lines can be shown, and the report on it."""

from __future__ import annotations

import itertools
import linecache
from pathlib import Path
from types import ModuleType

from autograder.judge.client import Judge
from autograder.model.exercise import BehaviourExercise
from autograder.model.report import Report
from autograder.tests.helpers.grading_steps import report_on, write_rubric

ENTRY = BehaviourExercise(
    name="entry",
    points={"compilations": 1},
    draws=lambda _: [],
    reference=lambda *_: None,
)
"""An exercise whose entry point is called `entry`, and that allows one program a signature."""

_number = itertools.count()


def make_module(source: str) -> ModuleType:
    """Run a source as a notebook's cell runs: in a namespace, with lines in linecache."""
    name = f"<submission {next(_number)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    module = ModuleType("student")
    exec(compile(source, name, "exec", dont_inherit=True), vars(module))
    return module


def report_of(source: str, rubric: str, judge: Judge, folder: Path) -> Report:
    """Grade a source by the first exercise of a rubric in a text."""
    made = write_rubric(folder, "lesson", rubric)
    return report_on(made, made.exercises[0], make_module(source), judge)
