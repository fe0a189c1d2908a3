"""What needs a GPU: the speed criterion where it gives points. Pending without one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jax import lax

from autograder.core.program import export_program
from autograder.criteria.speed.bundle import BundleWriter, read_bundle
from autograder.criteria.speed.results import read_results
from autograder.criteria.speed.standards import add_to_bundle
from autograder.grading.run import calls_to_export
from autograder.lessons.course import Lesson, find_course
from autograder.lessons.solutions import lesson_cells, own_solution
from autograder.lessons.verification.in_process import as_notebook
from autograder.sandbox.cells import run_cells
from autograder.speed import time_bundle
from autograder.tests.benchmarks.example_bundle import add_example, detour, draws, exported, steps

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
    rubric = find_course().rubric(lesson.name)
    writer = BundleWriter(tmp_path / "bundle")
    entry = add_to_bundle(writer, rubric, rubric.exercise(exercise.name), program.blob, KEY)
    writer.close()
    results = time_bundle(read_bundle(tmp_path / "bundle"), "gpu", tmp_path / "r.json")
    record = results[entry.result_key]
    assert record["status"] == "passed", record["reason"]
    assert record["ratio"] > 3 * exercise.speed.threshold
    assert entry.yardstick and record["slower"] < 1.5  # it is the yardstick itself
    assert record["own_ratio"] > 3 * exercise.speed.threshold


def test_verdicts_count_on_a_gpu(tmp_path: Path) -> None:
    """With the yardstick where there is one; a program that is wrong on this device has failed."""
    writer = BundleWriter(tmp_path / "bundle")
    (first, _) = draws()
    baseline, own = exported(steps(512), first), exported(detour(64), first)

    def wrong_on_gpus(matrix: Any, start: Any) -> Any:
        right = partial(steps(4), matrix, start)
        return lax.platform_dependent(cpu=right, cuda=lambda: 0 * start)

    for key, (program, count, yardstick) in enumerate(
        [
            (steps(32), 32, None),
            (detour(512), 4, None),
            (detour(128), 4, own),
            (detour(512), 4, own),
            (wrong_on_gpus, 4, own),
        ]
    ):
        blob = exported(program, first)
        add_example(writer, "steps", blob, baseline, steps(count), key=key, yardstick=yardstick)
    bundle = read_bundle(writer.close())
    time_bundle(bundle, "gpu", tmp_path / "r.json")
    results = read_results(tmp_path / "r.json")
    assert results.platform == "gpu"
    records = [results.records[entry.result_key] for entry in bundle.entries]
    rights = ["passed", "failed", "passed", "failed", "failed"]
    for record, right in zip(records, rights, strict=True):
        busy = record["status"] == "inconclusive" and "busy as this one" in record["reason"]
        assert record["status"] == right or busy, record
    assert records[-1]["status"] == "failed"
    assert "for the call that is timed" in records[-1]["reason"]
