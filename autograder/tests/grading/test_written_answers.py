"""Answers that are written down are read from the source; others are seen in the worker."""

from __future__ import annotations

import random
from typing import Any

import pytest

from autograder.core.answers import NotLiteral, literal, literals
from autograder.core.finding import Finding
from autograder.core.notebook import Cell, Notebook
from autograder.core.report import Report, Status
from autograder.core.rubric_files import load_rubric
from autograder.grading.pipeline import grade_cells
from autograder.grading.written_answers import read_answers
from autograder.judge.client import Judge

QUESTIONS = ("a", "b", "c")
WRITTEN = 'answers = {"a": 1, "b": "x", "c": [2, 3]}\n'
SAME = {"a": 1, "b": "x", "c": [2, 3]}


def read(*sources: str) -> dict[str, Any] | None:
    cells = [Cell(f"c{i}", source, "") for i, source in enumerate(sources)]
    return read_answers(cells, "answers", QUESTIONS)


@pytest.mark.parametrize(
    ("sources", "changed"),
    [
        (["# my guess\n" + WRITTEN.replace("1,", "1,  # sure\n")], {}),
        (["answers = dict(a=1, b='x', c=(2, 3))"], {}),
        ([WRITTEN, 'answers["a"] = -3'], {"a": -3}),
        ([WRITTEN, 'answers["a"] = 2**3\nanswers["b"] = "sub" + "mul"'], {"a": 8, "b": "submul"}),
        (["lines = 4\n" + WRITTEN + 'answers["a"] = lines'], {"a": 4}),
        ([WRITTEN, "answers.update({'a': 7}, b='y')"], {"a": 7, "b": "y"}),
        ([WRITTEN, "answers['c'] = len([1, 2])"], {"c": 2}),
        ([WRITTEN, "print(answers)\nanswers\nprint(answers['a'], len(answers))"], {}),
        ([WRITTEN, "answers: dict[str, int]\nanswers['a']: int = 5"], {"a": 5}),
        ([WRITTEN, "f = jax.jit(abs)\nf(three)\nx, y = f(1), 2\ny += 1"], {}),
        ([WRITTEN, "import jax\ndef f(x):\n    return x\n"], {}),
        ([WRITTEN, "%matplotlib inline\n!pip install optax"], {}),
        (["answers = {'a': 1}"], {"b": None, "c": None}),
        ([WRITTEN, "backup = answers\nbackup['a'] = None"], {"a": None}),
    ],
)
def test_what_is_written_is_read(sources: list[str], changed: dict[str, Any]) -> None:
    assert read(*sources) == SAME | changed


@pytest.mark.parametrize(
    "source",
    [
        "answers['a'] = f(three)",
        "answers['a'] = float(f(three))",
        "answers = fill(answers)",
        "fill(answers)",
        "answers.pop('a')",
        "del answers['a']",
        "backup = answers\nfill(backup)",
        "for q in answers:\n    answers[q] = 0",
        "if True:\n    answers['a'] = 0",
        "def f():\n    answers['a'] = 0\nf()",
        "(lambda: answers.clear())()",
        "[answers.clear() for _ in range(1)]",
        "exec(\"answers['a'] = 0\")",
        "globals()['answers'] = {}",
        "from x import *",
        "%time answers['a'] = 0",
        "answers['c'].append(4)",
        "answers['c'] += [4]",
        "answers |= {'a': 0}",
        "answers = [1, 2, 3]",
        "answers['a'] = {'nested': 1}",
        "answers['a'] = 10**19",
        "answers['a'] = 10**10**10",
        "answers['a'] = 0x" + "f" * 5000,
        "answers['a'] = [0] * 10**9",
        "answers['a'] = 1 / 0",
        "answers['a'] = 2j",
        "answers['a'] = " + "-" * 2000 + "1",
        "answers['a'] = " + "+".join("1" * 3000),
        "class answers:\n    pass",
        "import jax as answers",
        "try:\n    pass\nexcept ValueError as answers:\n    pass",
        "match 1:\n    case answers:\n        pass",
        "answers['a'] = (b := 3)",
        "answers[[]] = 0",
    ],
)
def test_what_reading_does_not_follow_is_left_to_the_worker(source: str) -> None:
    assert read(WRITTEN, source) is None


def test_what_doubles_in_each_line_stays_small() -> None:
    text = "a = 'x'\n" + "a = a + a\n" * 100 + WRITTEN
    assert read(text) == SAME
    many = "a = [1]\n" + "a = [a, a]\n" * 100 + WRITTEN + "answers['c'] = a"
    assert read(many) is None  # a list of lists is no answer: the worker says so


PIECES = [
    WRITTEN,
    "answers = {'a': {n}, 'b': 'y'}",
    "answers['a'] = {n}",
    "answers['b'] = -{n} + 1.5",
    "answers['c'] = [n_{v}, {n}]",
    "n_{v} = {n}",
    "n_{v} += {n}",
    "other_{v} = answers",
    "other_{v}['a'] = {n}",
    "other_{v}.update(b={n})",
    "other_{v} = dict(answers, c={n})",
    "answers = other_{v}",
    "answers.update(a={n})",
    "answers |= {'b': {n}}",
    "answers['c'] = answers['a'] * {n}",
    "kept_{v} = [{n}]",
    "answers['c'] = kept_{v}",
    "kept_{v} += [{n}]",
    "kept_{v}.append({n})",
    "answers.pop('a', None)",
    "del answers['b']",
    "print(answers)",
    "for k in list(answers):\n    answers[k] = {n}",
    "def fill_{v}(d):\n    d['a'] = {n}",
    "fill_{v}(answers)",
    "fill_{v}(other_{v})",
    "def later_{v}():\n    answers['b'] = {n}",
    "later_{v}()",
    "x_{v} = [answers, {n}]",
    "x_{v}[0]['a'] = {n}",
    "z_{v} = (answers, {n})",
    "z_{v}[0]['a'] = {n}",
    "u_{v} = [answers, fill_{v}]",
    "u_{v}[0]['a'] = {n}",
    "[w_{v}] = (answers,)",
    "w_{v}['c'] = {n}",
    "def hold():\n    pass\nhold.it = answers",
    "hold.it['a'] = {n}",
    "y_{v} = {'in': other_{v}}\ny_{v}['in']['b'] = {n}",
    "(p_{v}, q_{v}) = (answers, {n})",
    "p_{v}['a'] = q_{v}",
    "dict = lambda *a, **k: {'a': {n}}",
]


def write_notebook(rng: random.Random) -> tuple[list[str], dict[str, Any]]:
    """Statements of which none fails, and the answers after running them."""
    sources: list[str] = [WRITTEN]
    namespace: dict[str, Any] = {"print": lambda *_: None}
    exec(WRITTEN, namespace)
    for _ in range(rng.randint(1, 12)):
        piece = rng.choice(PIECES).replace("{n}", str(rng.randint(0, 9)))
        piece = piece.replace("{v}", str(rng.randint(0, 1)))
        try:
            exec(piece, namespace)
        except Exception:
            continue
        sources.append(piece)
    given = namespace["answers"]
    return sources, literals(given, QUESTIONS) or {}


@pytest.mark.parametrize("seed", range(8))
def test_what_is_read_is_what_running_gives(seed: int) -> None:
    rng, followed = random.Random(seed), 0
    for _ in range(200):
        sources, seen = write_notebook(rng)
        got = read(*sources)
        assert got is None or got == seen, sources
        followed += got is not None
    assert followed > 50


# --- from the notebook to the evidence -----------------------------------------------------------

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
    return grade_cells(notebook, "x.ipynb", load_rubric("tracing"), judge).reports[0]


def test_written_answers_are_proved(judge: Judge) -> None:
    report = grade(judge, RIGHT)
    assert report.status is Status.PASSED
    assert report.criteria[0].evidence == "proved"


def test_answers_that_were_computed_are_only_seen(judge: Judge) -> None:
    report = grade(judge, RIGHT.replace('"old_weight": 12', '"old_weight": float(jnp.sum(12.0))'))
    assert report.status is Status.PASSED
    assert report.criteria[0].evidence == "witnessed"


def test_no_process_has_a_say_in_what_was_written(judge: Judge) -> None:
    """The right answers are put in their place while the notebook runs."""
    wrong = RIGHT.replace('"old_weight": 12', '"old_weight": 13')
    forged = "import sys\nvars(sys.modules['__main__'])['answ' + 'ers']['old_weight'] = 12"
    report = grade(judge, wrong, forged)
    assert report.criteria[0].evidence == "observed"  # it reaches any name
    forged = (
        "import sys, gc\n[d for d in gc.get_objects() if type(d) is dict and 'old_weight' in d]"
    )
    report = grade(judge, wrong, forged + "[0]['old_weight'] = 12")
    assert report.criteria[0].evidence == "proved"
    assert report.earned == 4.5


def test_an_array_in_place_of_a_number_costs_its_points_with_a_reason(judge: Judge) -> None:
    report = grade(judge, RIGHT.replace('"old_weight": 12', '"old_weight": jnp.full(2, 12.0)'))
    (finding,) = report.criteria[0].findings
    assert finding.rule == "not-a-literal"
    assert "Write a plain number" in finding.message and "float(x)" in finding.message


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
