"""No attack of the corpus gains its criterion by a proof, or harms the next student."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.grading.pipeline import grade_observation
from autograder.grading.plan import plan_attempts
from autograder.grading.run import calls_to_export
from autograder.judge.client import Judge
from autograder.lessons.verification.cases import CaseText
from autograder.model.notebook import Notebook
from autograder.model.observation import Observation, Returned
from autograder.model.report import Report
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms
from autograder.programs.exported import export_program
from autograder.render import html_card, text_card
from autograder.tests.helpers.attacks import (
    OUTPUTS_ONLY,
    SECRET,
    grade_in_worker,
    read_attack,
)
from autograder.tests.helpers.corpus import corpus_cases
from autograder.tests.helpers.fast_tier import mostly_slow

CASES = corpus_cases("attacks_on_the_grader")
MAIN = sys.modules["__main__"]


def mechanism(case: CaseText) -> tuple[str, str]:
    """How a case attacks, by which the files are named, and what it must not gain."""
    return case.path.stem, read_attack(case).criterion


def sayings(report: Report, criterion: str) -> str:
    return "\n".join(f.message for f in report.criterion(criterion).findings)


def assert_can_be_written(report: Report) -> None:
    for text in (json.dumps(report.to_json()), html_card(report), text_card(report)):
        text.encode("utf-8")
        assert len(text) < 100_000


@pytest.fixture(scope="module")
def next_student(judge: Judge) -> Callable[[], tuple[float, float]]:
    """Points of a right and of a wrong program, judged by the same judge after an attack."""
    rubric = load_rubric(str(OUTPUTS_ONLY))
    drawn = rubric.draw("static_reshape", SECRET)
    terms = Terms(rubric, judge, SECRET, timed=False)

    def shares(counts: jax.Array) -> jax.Array:
        return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

    def observed(function: Callable) -> Observation:
        programs = [export_program(function, call) for call in calls_to_export(drawn)]
        public = [Returned(("",), (np.asarray(function(*c)),)) for c in drawn.watched_calls]
        return Observation(None, tuple(programs), (None,) * len(programs), (), tuple(public))

    two = [observed(shares), observed(lambda counts: shares(counts) + 1)]

    def earned() -> tuple[float, float]:
        right, wrong = (grade_observation(drawn, seen, terms).earned for seen in two)
        return right, wrong

    return earned


@pytest.mark.slow
@pytest.mark.parametrize("case", mostly_slow(CASES, mechanism))
def test_attacks_gain_nothing(
    case: CaseText, judge: Judge, next_student: Callable[[], tuple[float, float]]
) -> None:
    attack = read_attack(case)
    start = time.monotonic()
    report = grade_in_worker(attack, judge)
    assert time.monotonic() - start < attack.seconds + 60, "the grader was held up"
    if attack.criterion == "outputs":
        assert report.criterion("outputs").earned == 0
        assert sayings(report, "outputs"), "a mark of 0 without a reason"
        assert attack.says in sayings(report, "outputs")
    else:  # what is observed can be forged: an instructor is told on which line
        notebook = Notebook(attack.exercise, attack.cells)
        (attempt,) = plan_attempts(notebook, load_rubric(attack.exercise))
        assert attempt.unproved is not None and attempt.unproved.reason
    assert_can_be_written(report)
    assert next_student() == (4, 0)


def test_corpus_is_large_enough() -> None:
    assert len(CASES) >= 80


def test_this_process_is_as_it_was() -> None:
    assert sys.modules["__main__"] is MAIN
