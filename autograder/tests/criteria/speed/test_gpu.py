"""What needs a GPU: the speed criterion where it gives points. Pending without one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from autograder.core.program import export_program
from autograder.criteria.speed.bundle import BundleWriter, add_to_bundle, read_bundle
from autograder.criteria.speed.results import read_results
from autograder.grading.run import calls_to_export
from autograder.lessons.course import Lesson, find_course
from autograder.lessons.solutions import lesson_cells, own_solution
from autograder.lessons.verification.in_process import as_notebook
from autograder.sandbox.cells import run_cells
from autograder.speed import time_bundle
from autograder.tests.benchmarks.example_bundle import draws, exported, steps

KEY = 5
TIMED = [
    pytest.param(lesson, exercise, id=exercise.name)
    for lesson in find_course().lessons()
    for exercise in lesson.rubric.exercises
    if exercise.speed is not None
]

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize(("lesson", "exercise"), TIMED)
def test_solutions_reach_three_times_their_threshold(
    lesson: Lesson, exercise: Any, tmp_path: Path
) -> None:
    with as_notebook():
        source = own_solution(lesson, exercise.name)
        module, errors = run_cells(lesson_cells(lesson, exercise.name, source), tmp_path)
        assert not errors
        program = export_program(
            exercise.function(vars(module)), calls_to_export(exercise, KEY)[-1]
        )
    writer = BundleWriter(tmp_path / "bundle")
    entry = add_to_bundle(writer, lesson.rubric, exercise, program.blob, KEY)
    writer.close()
    results = time_bundle(read_bundle(tmp_path / "bundle"), "gpu", tmp_path / "r.json")
    record = results[entry.result_key]
    assert record["status"] == "passed", record["reason"]
    assert record["ratio"] > 3 * exercise.speed.threshold


def test_verdicts_count_on_a_gpu(tmp_path: Path) -> None:
    writer = BundleWriter(tmp_path / "bundle")
    inputs = draws()
    baseline = exported(steps(512), inputs[0])
    fields: dict[str, Any] = {"rubric": "r", "threshold": 3.0}
    for key, count in ((1, 32), (2, 512)):
        writer.add(
            f"steps{count}", exported(steps(count), inputs[0]), baseline, inputs, key=key, **fields
        )
    bundle = read_bundle(writer.close())
    time_bundle(bundle, "gpu", tmp_path / "r.json")
    results = read_results(tmp_path / "r.json")
    assert results.platform == "gpu"
    statuses = [results.records[entry.result_key]["status"] for entry in bundle.entries]
    assert statuses == ["passed", "failed"]
