"""What needs a GPU: the speed criterion where it gives points. Pending without one.

One lesson stands for all: `.ci/gpu` times the solutions and the submissions of each.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pytest
from jax import lax

from autograder.criteria.speed.bundle import BundleWriter, Entry, read_bundle
from autograder.criteria.speed.results import read_results
from autograder.criteria.speed.standards import add_to_bundle, prepare_standards
from autograder.lessons.course import find_course
from autograder.speed import time_bundle
from autograder.tests.benchmarks.example_bundle import add_example, detour, draws, exported, steps
from plnkit.tests.gpu import KIND

KEY = 5
LESSON, EXERCISE = next(
    (lesson.name, exercise.name)
    for lesson in find_course().lessons()
    for exercise in lesson.rubric.exercises
    if "speed" in exercise.points
)

pytestmark = pytest.mark.gpu


def wrong_on_gpus(matrix: Any, start: Any) -> Any:
    right = partial(steps(4), matrix, start)
    return lax.platform_dependent(cpu=right, cuda=lambda: 0 * start)


# Program, number of steps that it should do, with a reference_solution, right verdict.
EXAMPLES = [
    (steps(32), 32, False, "passed"),
    (detour(512), 4, False, "failed"),
    (detour(128), 4, True, "passed"),
    (detour(512), 4, True, "failed"),
    (wrong_on_gpus, 4, True, "failed" if KIND == "gpu" else "passed"),
]


def add_own_solution(writer: BundleWriter) -> Entry:
    """Add a lesson's own solution as if it were a student's: it is the reference_solution, too."""
    rubric = find_course().rubric(LESSON)
    exercise = rubric.exercise(EXERCISE)
    own = prepare_standards(writer, rubric, exercise, KEY)["reference_solution"]
    return add_to_bundle(writer, rubric, exercise, writer.read_program(own), KEY)


def add_examples(writer: BundleWriter) -> list[Entry]:
    (first, _) = draws()
    baseline, own = exported(steps(512), first), exported(detour(64), first)
    return [
        add_example(
            writer,
            "beside a reference_solution" if has_solution else "beside the baseline",
            exported(program, first),
            baseline,
            steps(count),
            reference_solution=own if has_solution else None,
        )
        for program, count, has_solution, _ in EXAMPLES
    ]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> list[Mapping[str, Any]]:
    """All programs of these tests, timed as those of a class: the solution, and the examples."""
    folder = tmp_path_factory.mktemp("timed")
    writer = BundleWriter(folder / "bundle")
    entries = [add_own_solution(writer), *add_examples(writer)]
    out = folder / "results.json"
    time_bundle(read_bundle(writer.close()), KIND, out, 10.0 if KIND == "gpu" else 20.0)
    results = read_results(out)
    assert results.platform == KIND
    return [results.records[entry.result_key] for entry in entries]


def verdict_of(record: Mapping[str, Any]) -> str:
    return record["status"] if KIND == "gpu" else record["information"]


def test_the_own_solution_reaches_three_times_its_threshold(
    records: list[Mapping[str, Any]],
) -> None:
    record = records[0]
    if verdict_of(record) == "inconclusive":
        assert record["reason"]
        return
    assert verdict_of(record) == "passed", record["reason"]
    assert record["slower"] < 1.5  # it is the reference_solution itself
    if KIND == "gpu":
        assert min(record["ratio"], record["own_ratio"]) > 3 * record["threshold"]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_verdicts_count_on_a_gpu(number: int, records: list[Mapping[str, Any]]) -> None:
    """With the reference solution where there is one; a program that is wrong here has failed."""
    program, _, _, right = EXAMPLES[number]
    record = records[1 + number]
    if program is wrong_on_gpus and KIND == "gpu":
        assert record["status"] == "failed"
        assert "for the call that is timed" in record["reason"]
    assert verdict_of(record) in (right, "inconclusive"), record  # by how busy the machine is
    assert record["reason"] or verdict_of(record) != "inconclusive"
