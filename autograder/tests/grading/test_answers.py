"""Predictions: answers whose slice is proved are proved, others are observed."""

from __future__ import annotations

import pytest

from autograder.grading.pipeline import grade_notebook
from autograder.grading.plan import plan_attempts
from autograder.judge.client import Judge
from autograder.model.answers import NotLiteral, literal
from autograder.model.finding import Finding
from autograder.model.notebook import Cell, Notebook
from autograder.model.report import Report, Status
from autograder.model.rubric_files import load_rubric
from autograder.model.terms import Terms

RIGHT = """answers = {
    "prints_plain": 3, "prints_jitted": 1, "prints_shapes": 2, "prints_dtypes": 2,
    "shown": "tracer", "primitives": ["sub", "integer_pow", "reduce_sum"],
    "primitives_jitted": ["jit"], "result_shape": [], "old_weight": 12, "new_weight": 100,
}
"""
SETUP = "import jax\nimport jax.numpy as jnp\n"


def grade(judge: Judge, *sources: str) -> Report:
    cells = [Cell("setup", SETUP, "")]
    cells += [Cell(f"c{i}", source, "solution") for i, source in enumerate(sources)]
    notebook = Notebook("tracing", tuple(cells))
    return grade_notebook(notebook, "x.ipynb", Terms(load_rubric("tracing"), judge)).reports[0]


@pytest.mark.slow
def test_written_answers_are_proved(judge: Judge) -> None:
    report = grade(judge, RIGHT)
    assert report.status is Status.PASSED
    assert report.criteria[0].evidence == "proved"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "evidence"),
    [("float(jnp.sum(12.0))", "proved"), ("eval('12')", "observed")],
)
def test_answers_that_were_computed(judge: Judge, number: str, evidence: str) -> None:
    report = grade(judge, RIGHT.replace('"old_weight": 12', f'"old_weight": {number}'))
    assert report.status is Status.PASSED
    assert report.criteria[0].evidence == evidence


def test_no_process_has_a_say_in_what_was_written() -> None:
    """The right answers are put in their place while the notebook runs: it does not run."""
    wrong = RIGHT.replace('"old_weight": 12', '"old_weight": 13')
    forged = "import sys\nvars(sys.modules['__main__'])['answ' + 'ers']['old_weight'] = 12"
    notebook = Notebook("tracing", (Cell("a", wrong, ""), Cell("b", forged, "")))
    attempt, *_ = plan_attempts(notebook, load_rubric("tracing"))
    assert attempt.exercises == ("tracing",) and attempt.is_proved
    assert [cell.id for cell in attempt.cells] == ["a"]


@pytest.mark.gate
def test_an_array_in_place_of_a_number_costs_its_points_with_a_reason(judge: Judge) -> None:
    report = grade(judge, RIGHT.replace('"old_weight": 12', '"old_weight": jnp.full(2, 12.0)'))
    (finding,) = report.criteria[0].findings
    assert finding.rule == "not-a-literal"
    assert "Write a plain number" in finding.message and "float(x)" in finding.message


@pytest.mark.gate
@pytest.mark.parametrize("number", ["np.float32(12)", "jnp.sum(12.0)", "np.asarray(12)"])
def test_a_number_of_numpys_or_jaxs_is_a_number(judge: Judge, number: str) -> None:
    text = RIGHT.replace('"old_weight": 12', f'"old_weight": {number}')
    report = grade(judge, "import numpy as np\n" + text)
    assert report.status is Status.PASSED


def test_a_named_tuple_of_answers(judge: Judge) -> None:
    text = "from collections import namedtuple\n" + RIGHT
    report = grade(judge, text + "answers = namedtuple('Answers', answers)(**answers)")
    assert report.status is Status.PASSED


def test_a_misspelt_question_is_named(judge: Judge) -> None:
    report = grade(judge, RIGHT.replace('"old_weight"', '"old_wait"'))
    (finding,) = report.criteria[0].findings
    assert finding.rule == "no-answer"
    assert "the key 'old_wait' belongs to no question" in finding.message
    assert report.earned == 4.5


@pytest.mark.parametrize("value", [[10**5000], object(), {"a": 1}, [object()], 2j, b"x"])
def test_what_is_no_literal(value: object) -> None:
    assert isinstance(literal(value), NotLiteral)


def test_findings_stay_short() -> None:
    assert isinstance(Finding.error("wrong-answer", str(literal("x" * 10**6))), Finding)
    assert len(literal("x" * 10**6)) <= 200
