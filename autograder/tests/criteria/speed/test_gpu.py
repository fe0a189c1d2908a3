"""What needs a GPU: the speed criterion where it gives points. Pending without one."""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from jax import lax

from autograder.core.rubric import Rubric
from autograder.criteria.speed.bundle import BundleWriter, Entry, read_bundle
from autograder.criteria.speed.results import Records, read_results
from autograder.criteria.speed.standards import add_to_bundle, prepare_standards
from autograder.lessons.course import find_course
from autograder.speed import time_bundle
from autograder.tests.benchmarks.example_bundle import add_example, detour, draws, exported, steps
from plnkit.tests.gpu import KIND

KEY = 5
TIMED = {
    exercise.name: lesson.name
    for lesson in find_course().lessons()
    for exercise in lesson.rubric.exercises
    if exercise.speed is not None
}
EXERCISES = list(TIMED) if KIND == "gpu" else list(TIMED)[:1]

pytestmark = pytest.mark.gpu


def wrong_on_gpus(matrix: Any, start: Any) -> Any:
    right = partial(steps(4), matrix, start)
    return lax.platform_dependent(cpu=right, cuda=lambda: 0 * start)


# Program, number of steps that it should do, with a yardstick, right verdict.
EXAMPLES = [
    (steps(32), 32, False, "passed"),
    (detour(512), 4, False, "failed"),
    (detour(128), 4, True, "passed"),
    (detour(512), 4, True, "failed"),
    (wrong_on_gpus, 4, True, "failed" if KIND == "gpu" else "passed"),
]
if KIND == "cpu":  # it stands in, and only the tests themselves are tried
    EXAMPLES = EXAMPLES[::4]


def add_own_solution(writer: BundleWriter, rubric: Rubric, name: str) -> Entry:
    """Add a lesson's own solution as if it were a student's: it is the yardstick, too."""
    exercise = rubric.exercise(name)
    own = prepare_standards(writer, rubric, exercise, KEY)["yardstick"]
    return add_to_bundle(writer, rubric, exercise, writer.read_program(own), KEY)


def add_examples(writer: BundleWriter) -> list[Entry]:
    (first, _) = draws()
    baseline, own = exported(steps(512), first), exported(detour(64), first)
    return [
        add_example(
            writer,
            "steps",
            exported(program, first),
            baseline,
            steps(count),
            key=key,
            yardstick=own if has_yardstick else None,
        )
        for key, (program, count, has_yardstick, _) in enumerate(EXAMPLES)
    ]


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Mapping[str, Entry], Records]:
    """All programs of these tests in one bundle, as those of a class: one process times them."""
    folder = tmp_path_factory.mktemp("timed")
    writer, course = BundleWriter(folder / "bundle"), find_course()
    rubrics = {name: course.rubric(TIMED[name]) for name in EXERCISES}
    with ThreadPoolExecutor() as pool:  # the standards are made in processes of their own
        added = pool.map(lambda name: add_own_solution(writer, rubrics[name], name), EXERCISES)
        entries = {f"example {i}": entry for i, entry in enumerate(add_examples(writer))}
        entries |= zip(EXERCISES, added, strict=True)
    limit = 60.0 if KIND == "gpu" else 20.0
    out = folder / "results.json"
    time_bundle(read_bundle(writer.close()), KIND, out, limit)
    results = read_results(out)
    assert results.platform == KIND
    return entries, results.records


def verdict_of(record: Mapping[str, Any]) -> str:
    return record["status"] if KIND == "gpu" else record["information"]


@pytest.mark.parametrize("name", EXERCISES)
def test_solutions_reach_three_times_their_threshold(
    name: str, timed: tuple[Mapping[str, Entry], Records]
) -> None:
    entries, records = timed
    record = records[entries[name].result_key]
    if verdict_of(record) == "inconclusive":
        assert record["reason"]
        return
    assert verdict_of(record) == "passed", record["reason"]
    assert entries[name].yardstick and record["slower"] < 1.5  # it is the yardstick itself
    if KIND == "gpu":
        assert record["ratio"] > 3 * record["threshold"]
        assert record["own_ratio"] > 3 * record["threshold"]


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_verdicts_count_on_a_gpu(number: int, timed: tuple[Mapping[str, Entry], Records]) -> None:
    """With the yardstick where there is one; a program that is wrong on this device has failed."""
    entries, records = timed
    program, _, _, right = EXAMPLES[number]
    record = records[entries[f"example {number}"].result_key]
    if program is wrong_on_gpus and KIND == "gpu":
        assert record["status"] == "failed"
        assert "for the call that is timed" in record["reason"]
    assert verdict_of(record) in (right, "inconclusive"), record  # by how busy the machine is
    assert record["reason"] or verdict_of(record) != "inconclusive"
