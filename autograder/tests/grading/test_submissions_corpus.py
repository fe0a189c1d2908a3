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
from autograder.grading.terms import Terms
from autograder.judge.client import Judge
from autograder.model.notebook import Notebook
from autograder.model.observation import Observation, Returned
from autograder.model.report import Report
from autograder.model.rubric_files import load_rubric
from autograder.programs.export import export_program
from autograder.render import html_card, text_card
from autograder.tests.submission_files import (
    CORPUS,
    SECRET,
    Submission,
    grade_in_worker,
    submissions,
)

ALL = submissions()
MAIN = sys.modules["__main__"]


LONG = {"attack_huge_output", "attack_huge_program", "attack_swallows_the_alarm"}
SAMPLE = [  # the fast tier takes every sixth
    pytest.param(
        s, id=s.path.stem, marks=() if i % 6 == 0 and s.path.stem not in LONG else pytest.mark.slow
    )
    for i, s in enumerate(ALL)
]


def sayings(report: Report, criterion: str) -> str:
    return "\n".join(f.message for f in report.criterion(criterion).findings)


def assert_can_be_written(report: Report) -> None:
    for text in (json.dumps(report.to_json()), html_card(report), text_card(report)):
        text.encode("utf-8")
        assert len(text) < 100_000


@pytest.fixture(scope="module")
def next_student(judge: Judge) -> Callable[[], tuple[float, float]]:
    """Points of a right and of a wrong program, judged by the same judge after an attack."""
    rubric = load_rubric(str(CORPUS / "outputs_only.py"))
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


@pytest.mark.parametrize("submission", SAMPLE)
def test_attacks_gain_nothing(
    submission: Submission, judge: Judge, next_student: Callable[[], tuple[float, float]]
) -> None:
    start = time.monotonic()
    report = grade_in_worker(submission, judge)
    assert time.monotonic() - start < submission.seconds + 60, "the grader was held up"
    if submission.criterion == "outputs":
        assert report.criterion("outputs").earned == 0
        assert sayings(report, "outputs"), "a mark of 0 without a reason"
        assert submission.says in sayings(report, "outputs")
    else:  # what is observed can be forged: an instructor is told on which line
        notebook = Notebook(submission.exercise, submission.cells)
        (attempt,) = plan_attempts(notebook, load_rubric(submission.exercise))
        assert attempt.unproved is not None and attempt.unproved.reason
    assert_can_be_written(report)
    assert next_student() == (4, 0)


def test_corpus_is_large_enough() -> None:
    assert len(ALL) >= 60


def test_this_process_is_as_it_was() -> None:
    assert sys.modules["__main__"] is MAIN
