"""`predict` and `outcome`: a guess is kept, confronted and shown again, and none is judged."""

from __future__ import annotations

import jax
import pytest

from autograder import check, outcome, predict
from autograder.learner import predicting

RUBRIC = """
from autograder import ProgramExercise, Rubric

double = ProgramExercise(
    name="double",
    points={"outputs": 1},
    draws=lambda rng: [(rng.normal(size=3).astype("float32"),)],
    reference=lambda x: 2 * x,
)
rubric = Rubric(lesson="mine", exercises=(double,))
"""


@pytest.fixture(autouse=True)
def no_guesses(monkeypatch):
    monkeypatch.setattr(predicting, "_predictions", {})


class Rude:
    def __repr__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "guess", [3, "twice", [True, None], float("nan"), Rude(), "é" * 900, print]
)
def test_any_guess_is_kept(guess):
    assert repr(predict("how often", guess)).startswith("Your prediction is kept: ")
    (sentence,) = predicting.describe_predictions()
    assert sentence.startswith("You predicted, for 'how often': ") and len(sentence) < 150


def test_tracers_and_odd_questions_raise_nothing():
    jax.jit(lambda x: predict(x, x) and x)(1.0)
    predict(None, Rude)
    for number in range(1000):
        predict(number, number)
    assert len(predicting.describe_predictions()) == 20


def test_no_guess_yet():
    assert "in place of `...`" in repr(predict("how often", ...)) == repr(predict("how often"))
    assert predicting.describe_predictions() == []


@pytest.mark.parametrize(
    ("guess", "was", "within", "printed"),
    [
        (3, 2, 0, "You said 3. It was 2."),
        (2, 2, 0, "You said 2, and so it was."),
        (2.0, 2, 0, "You said 2.0, and so it was."),
        (10, 12.5, 0.2, "You said 10, and so it was."),
        (10, 13, 0.2, "You said 10. It was 13."),
        ("Python", "python", 0, "You said Python, and so it was."),
        ("two", 2, 0, "You said two. It was 2."),
        ([1, 2], [1, 2], 0, "You said [1, 2], and so it was."),
        (float("nan"), 2, 0.5, "You said nan. It was 2."),
        (True, "yes", 0, "You said True. It was yes."),
    ],
)
def test_a_guess_is_confronted_with_what_was_seen(guess, was, within, printed):
    predict("how often", guess)
    assert repr(outcome("how often", was, within=within)) == printed
    (sentence,) = predicting.describe_predictions()
    assert sentence.endswith(f": {guess}. It was {was}.")


def test_an_outcome_without_a_guess():
    assert repr(outcome("how often", 2)).startswith("It was 2. (Nothing was predicted")
    assert predicting.describe_predictions() == []


def test_answers_to_choose_from():
    choices = ["grows", "stays", 3]
    assert repr(predict("memory", among=choices)).startswith("Write one of these in place of `...`")
    assert repr(predict("memory", "shrinks", among=choices)) == (
        "shrinks is none of the answers: grows, stays, 3. Choose one, and run this cell again."
    )
    assert predicting.describe_predictions() == []
    assert repr(predict("memory", 3, among=choices)).startswith("Your prediction is kept: 3")
    assert repr(outcome("memory", 3)) == "You said 3, and so it was."


def double(x):
    return x + x


def test_card_shows_the_last_guess_and_what_was_seen(tmp_path):
    (tmp_path / "mine.py").write_text(RUBRIC)
    predict("how often", 2)
    predict("how often", 3)
    score = check("double", rubric=tmp_path / "mine.py")
    assert score == 1.0
    assert "You predicted, for 'how often': 3." in str(score)
    outcome("how often", 4)
    score = check("double", rubric=tmp_path / "mine.py")
    assert score == 1.0
    assert "You predicted, for 'how often': 3. It was 4." in str(score)
