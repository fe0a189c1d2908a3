"""`predict`: any guess is kept and shown again, and none is judged."""

from __future__ import annotations

import jax
import pytest

from autograder import check, predict
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
    monkeypatch.setattr(predicting, "_guesses", {})


class Rude:
    def __repr__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize(
    "guess", [3, "twice", [True, None], float("nan"), Rude(), "é" * 900, print]
)
def test_any_guess_is_kept(guess):
    assert repr(predict("how often", guess)).startswith("Your prediction is kept: ")
    (sentence,) = predicting.describe_guesses()
    assert sentence.startswith("You predicted, for 'how often': ") and len(sentence) < 150


def test_tracers_and_odd_questions_raise_nothing():
    jax.jit(lambda x: predict(x, x) and x)(1.0)
    predict(None, Rude)
    for number in range(1000):
        predict(number, number)
    assert len(predicting.describe_guesses()) == 20


def test_no_guess_yet():
    assert "in place of `...`" in repr(predict("how often", ...)) == repr(predict("how often"))
    assert predicting.describe_guesses() == []


def double(x):
    return x + x


def test_card_shows_the_last_guess_and_says_nothing_of_its_rightness(tmp_path):
    (tmp_path / "mine.py").write_text(RUBRIC)
    predict("how often", 2)
    predict("how often", 3)
    score = check("double", rubric=tmp_path / "mine.py")
    assert score == 1.0
    assert "You predicted, for 'how often': 3." in str(score)
