"""How the answers of a defence cell are read and judged."""

from __future__ import annotations

import pytest

from autograder.grading import readings
from autograder.grading.defence import call_to_answer, judge_answers
from autograder.model.answers import answer_from_json
from autograder.model.questions import Kind, Question, Questions
from autograder.model.rubric_files import load_lesson

EXERCISE = load_lesson("static_branch").defended
QUESTIONS = Questions(
    "3f2a9c1b",
    (
        Question(Kind.LINES, "f(x)", ("n = 1", "y = x + n", "z = y * y"), (False, True, True)),
        Question(Kind.PROGRAMS, "", ("f(x)", "f(x)", "f(y)"), count=2),
    ),
)


def read_call(source: str) -> dict | None:
    given = readings.defence(source)
    return given and {name: answer_from_json(answer) for name, answer in given.items()}


def rules(source: str) -> list[str]:
    return [f.rule for f in judge_answers(QUESTIONS, read_call(source), EXERCISE)]


@pytest.mark.parametrize(
    "answers",
    [
        'lines="b c", programs=2',
        'lines="C, B", programs="2"',
        'lines="b and c", programs=2',
        'lines="(b), (c)", programs=2',
        'lines=["b", "c"], programs=2.0',
        'lines={"c", "b"}, programs=(2,)',
        'programs=2, lines="bc"',
    ],
)
def test_right_in_any_form(answers: str) -> None:
    call = f'defend("static_branch", program="3f2a9c1b", {answers})'
    assert rules(f"from autograder import defend\n\n{call}") == []
    assert rules(f"import autograder\n# mine\nautograder.{call}\nprint(1)") == []
    assert rules(f"%%time\nif True:\n    seen = {call}") == []


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("", ["not-plain"]),
        ("defend('x', program=", ["not-plain"]),
        ('defend("static_branch")', ["no-answers"]),
        ('defend("static_branch", program="0" * 8, lines="b c")', ["not-plain"]),
        ('defend("x", program="3f2a9c1b", lines=open("answers").read())', ["not-plain"]),
        ('defend("x", **answers)', ["not-plain"]),
        ('defend("x", program="11112222", lines="b c", programs=2)', ["stale"]),
        ('defend("x", lines="b c", programs=2)', ["stale"]),
        ('defend("x", program="3f2a9c1b", lines="b", programs=2)', ["wrong-lines"]),
        ('defend("x", program="3f2a9c1b", lines="b c", programs=3)', ["wrong-programs"]),
        ('defend("x", program="3f2a9c1b", lines="", programs=0)', ["no-answer"] * 2),
        ('defend("x", program="3f2a9c1b", lines=None)', ["no-answer"] * 2),
        ("defend(" * 500 + ")" * 500, ["not-plain"]),
    ],
)
def test_what_does_not_count(source: str, found: list[str]) -> None:
    assert rules(source) == found


def test_the_call_to_fill_in_can_be_read() -> None:
    call = call_to_answer("static_branch", QUESTIONS)
    assert call == 'defend("static_branch", program="3f2a9c1b", lines="", programs=0)'
    assert read_call(call) == {"program": "3f2a9c1b", "lines": "", "programs": 0}
