"""The steps from a rubric's text, and a student's module, to a report."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from autograder.criteria.rules import RULES
from autograder.grading.pipeline import grade_observation, grade_submission, prepare
from autograder.grading.run import calls_to_export
from autograder.judge.client import Judge
from autograder.model.exercise import Exercise
from autograder.model.observation import Blobs, decode, encode
from autograder.model.report import Report
from autograder.model.rubric import PUBLIC_KEY, Rubric
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.sandbox.exercise_observation import observe


def write_rubric(folder: Path, lesson: str, text: str) -> Rubric:
    """The rubric in a text, written to a file as one's own are."""
    path = folder / f"{lesson}.py"
    path.write_text(text)
    return load_rubric(path)


def report_on(
    rubric: Rubric, exercise: Exercise, module: ModuleType, judge: Judge, key: int = PUBLIC_KEY
) -> Report:
    """The report on a student's module, through all the steps and over the wire."""
    drawn = rubric.draw(exercise.name, key)
    seen = observe(drawn, module, calls_to_export(drawn))
    blobs = Blobs()
    crossed = decode(encode(seen, blobs), blobs.list, RULES)
    return grade_observation(drawn, crossed, Terms(rubric, judge, key, timed=False))


def grade_notebook(
    path: Path, rubric: Rubric, judge: Judge, key: int = PUBLIC_KEY
) -> tuple[Report, ...]:
    """The reports on a notebook file, as it is."""
    prepared = prepare(path.read_bytes(), path.name, None)
    return grade_submission(prepared, path.name, Terms(rubric, judge, key)).reports
