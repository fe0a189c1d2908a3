"""The memory criterion: scratch bytes against those of the lesson's own solution."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import pytest

from autograder.criteria.memory import messages
from autograder.grading.run import calls_to_export
from autograder.model.exercise import BehaviourExercise, RubricError
from autograder.model.kit_fault import CannotJudge
from autograder.model.reasons import KIT_ERROR
from autograder.model.report import Report, Status
from autograder.model.rubric import PUBLIC_KEY
from autograder.programs.runner import LocalRunner
from autograder.render import text_card
from autograder.sandbox.exercise_observation import observe
from autograder.tests.helpers.grading_steps import report_on, write_rubric

RUBRIC = """
import numpy as np
from autograder import Memory, ProgramExercise, Rubric

exercise = ProgramExercise(
    name="distances",
    draws=lambda rng: [(rng.normal(size=(n, 8)).astype(np.float32),) for n in (200, 300)],
    reference=lambda x: (x**2).sum(1) * len(x) - 2 * x @ x.sum(0) + (x**2).sum(),
    points={"outputs": 2, "memory": 3},
    memory=Memory(factor=4),
)
rubric = Rubric(lesson="distances", exercises=(exercise,))
"""
FRUGAL = """
import jax

@jax.jit
def distances(x):
    squares = (x**2).sum(1)
    return squares * len(x) - 2 * x @ x.sum(0) + squares.sum()
"""
PAIRS = """
import jax

@jax.jit
def distances(x):
    pairs = x[:, None, :] - x[None, :, :]
    return jax.lax.optimization_barrier(pairs**2).sum((1, 2))
"""
WRONG = FRUGAL.replace("- 2 *", "- 3 *")


@pytest.fixture(scope="module")
def rubric(tmp_path_factory):
    return write_rubric(tmp_path_factory.mktemp("rubric"), "distances", RUBRIC)


@pytest.fixture
def graded(rubric, judge):
    def graded(source: str, solution: tuple[str, ...] = (FRUGAL,), key: int = 5) -> Report:
        module = ModuleType("student")
        exec(source, vars(module))
        known = replace(rubric, reference_solutions={"distances": solution})
        return report_on(known, known.exercise("distances"), module, judge, key)

    return graded


@pytest.mark.gate
def test_the_solution_itself_is_within_its_budget(graded):
    report = graded(FRUGAL)
    assert (report.earned, report.possible) == (5, 5)
    assert report.criterion("memory").evidence == "proved"


def test_all_pairs_at_once_are_over_it(graded):
    report = graded(PAIRS)
    memory = report.criterion("memory")
    assert report.criterion("outputs").status is Status.PASSED
    assert (memory.status, memory.earned) == (Status.FAILED, 0)
    (finding,) = memory.findings
    assert finding.rule == "too-much-scratch"
    message = finding.message
    assert message.startswith("distances(float32[200,8]): the compiled program needs 1.")
    assert "at most 4 times the " in message and "of the lesson's own solution (50" in message
    assert "memory" in text_card(report)


def test_a_hungry_solution_allows_hungry_programs(graded):
    assert graded(PAIRS, solution=(PAIRS,)).earned == 5


def test_wrong_outputs_close_it(graded):
    memory = graded(WRONG).criterion("memory")
    assert (memory.status, memory.reason) == (Status.NOT_GRADED, "outputs-first")


def test_without_the_solution_nothing_is_reported_of_the_submission(graded):
    report = graded(PAIRS, solution=())
    memory = report.criterion("memory")
    assert (memory.status, memory.reason) == (Status.NOT_GRADED, KIT_ERROR)
    assert [f.message for f in memory.findings] == [messages.NO_SOLUTION]
    assert (report.earned, report.possible, report.pending) == (2, 2, 3)


def test_a_solution_that_fails_is_the_rubrics_error(graded):
    with pytest.raises(CannotJudge, match="solution of 'distances' fails: ZeroDivisionError"):
        graded(FRUGAL, solution=("1 / 0",))


def test_the_budget_and_the_points_go_together(rubric):
    exercise = rubric.exercise("distances")
    with pytest.raises(RubricError, match="go together"):
        replace(exercise, memory=None)
    with pytest.raises(RubricError, match="no program whose memory can be judged"):
        BehaviourExercise(
            name="distances",
            draws=exercise.draws,
            reference=exercise.reference,
            points=exercise.points,
        )


def test_bytes_are_counted_without_running(rubric):
    drawn, module = rubric.draw("distances", PUBLIC_KEY), ModuleType("student")
    exec(PAIRS, vars(module))
    seen = observe(drawn, module, calls_to_export(drawn))
    few, many = (LocalRunner().scratch_bytes(p.blob) for p in seen.programs[:2] if p is not None)
    assert 200 * 200 * 8 * 4 <= few < many


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 bytes"), (1023, "1023 bytes"), (4096, "4 KiB"), (3 * 2**20, "3 MiB")]
)
def test_sizes_are_written_as_readers_want_them(count, text):
    assert messages.size(count) == text


IN_BYTES = RUBRIC.replace("factor=4", "scratch=100_000")


@pytest.mark.gate
def test_a_number_of_bytes_needs_no_solution(tmp_path, judge):
    rubric = write_rubric(tmp_path, "distances", IN_BYTES)
    (exercise,) = rubric.exercises
    found = []
    for source in (FRUGAL, PAIRS):
        module = ModuleType("student")
        exec(source, vars(module))
        found.append(report_on(rubric, exercise, module, judge).criterion("memory"))
    assert [c.status for c in found] == [Status.PASSED, Status.FAILED]
    (finding,) = found[1].findings
    assert finding.rule == "too-much-scratch"
    assert "at most 97.7 KiB is allowed" in finding.message


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("", r"points for memory and `memory=Memory\(...\)` go together"),
        ("memory=Memory(),", "memory needs either `factor` or `scratch`"),
        ("memory=Memory(factor=4, scratch=10),", "memory needs either `factor` or `scratch`"),
    ],
)
def test_one_limit_of_memory_is_needed(tmp_path, limit, words):
    with pytest.raises(RubricError, match=words):
        write_rubric(tmp_path, "distances", RUBRIC.replace("memory=Memory(factor=4),", limit))
