"""`predict("question", guess)`: records a guess before a cell shows what happens.

The guess is kept in the cell's output, and shown again in the cards of the same kernel. Nobody
compares it with what happened: to have guessed is what helps. In a grader, nothing comes of it.
"""

from __future__ import annotations

from autograder.learner import sentences
from autograder.model.call_text import kind_of
from autograder.model.printable import one_line

_MOST = 20
_guesses: dict[str, str] = {}
"""By question, the last guess in this kernel."""


class Guess(str):
    """What a prediction cell shows: the text itself, without quotes."""

    def __repr__(self) -> str:
        return str(self)


def predict(question: object, guess: object = ...) -> Guess:
    """Record a guess, and return a line that the notebook keeps.

    Any value is taken; the lessons begin with ``...``, which is no guess yet.

    Args:
        question: a few words.
        guess: what you expect to see, right or wrong.
    """
    if guess is ...:
        return Guess(sentences.NO_GUESS)
    words, text = _show(question), _show(guess)
    if words in _guesses or len(_guesses) < _MOST:
        _guesses[words] = text
    return Guess(sentences.GUESS_KEPT.format(guess=text))


def _show(value: object) -> str:
    """Return a value as text of at most a line, whatever it is."""
    try:
        return one_line(value if isinstance(value, str) else repr(value), 80)
    except Exception:  # a value of the learner's own may not show itself
        return kind_of(value)


def describe_guesses() -> list[str]:
    """Return one sentence for each guess in this kernel."""
    return [sentences.PREDICTED.format(question=q, guess=g) for q, g in _guesses.items()]
