"""`predict("question", guess)` keeps a guess; `outcome("question", was)` confronts it.

The guess is kept in the cell's output. The demo cell below it shows what happens, and ends with
`outcome`, which says both. Cards of the same kernel show them again. To have guessed is what helps:
nothing is judged, and in a grader nothing comes of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.learner import sentences
from autograder.model.call_text import kind_of
from autograder.model.printable import one_line

_MOST = 20


@dataclass(frozen=True)
class _Prediction:
    """A guess, as text and to compare, and the text of what was seen: "" where nothing was yet."""

    guess: str
    value: str | float
    was: str = ""


_predictions: dict[str, _Prediction] = {}
"""By question, the last guess in this kernel."""


class Shown(str):
    """What a prediction cell shows: the text itself, without quotes."""

    def __repr__(self) -> str:
        return str(self)


def predict(question: object, guess: object = ..., *, among: Sequence[object] = ()) -> Shown:
    """Keep a guess, and return a line that the notebook shows.

    Any value is taken; the lessons begin with ``...``, which is no guess yet.

    Args:
        question: a few words.
        guess: what you expect to see, right or wrong.
        among: answers to choose from; another is not kept.

    Example:
        >>> predict("lines that are printed", 3)
        Your prediction is kept: 3. Now run the next cell.
    """
    choice = ", ".join(map(_show, among))
    if guess is ...:
        return Shown(sentences.CHOOSE.format(choice=choice) if among else sentences.NO_GUESS)
    if among and not any(_agree(_plain(guess), _plain(one), 0) for one in among):
        return Shown(sentences.NO_CHOICE.format(guess=_show(guess), choice=choice))
    words, text = _show(question), _show(guess)
    if words in _predictions or len(_predictions) < _MOST:
        _predictions[words] = _Prediction(text, _plain(guess))
    return Shown(sentences.GUESS_KEPT.format(guess=text))


def outcome(question: object, was: object, *, within: float = 0.0) -> Shown:
    """Say what was seen beside what was predicted.

    Args:
        question: the words that `predict` was called with.
        was: what the cell has seen.
        within: how far off a number may be and still be called right, relative to `was`.

    Example:
        >>> outcome("lines that are printed", 2)
        You said 3. It was 2.
    """
    words, text = _show(question), _show(was)
    known = _predictions.get(words)
    if known is None:
        return Shown(sentences.NOT_PREDICTED.format(was=text))
    _predictions[words] = replace(known, was=text)
    right = _agree(known.value, _plain(was), within)
    template = sentences.WAS_RIGHT if right else sentences.WAS_WRONG
    return Shown(template.format(guess=known.guess, was=text))


def _plain(value: object) -> str | float:
    """Return a number as it is, and anything else as text: two of them can be compared."""
    return value if isinstance(value, (bool, int, float)) else _show(value)


def _agree(guess: str | float, was: str | float, within: float) -> bool:
    if isinstance(guess, str) or isinstance(was, str):
        return _show(guess).casefold() == _show(was).casefold()
    return math.isclose(guess, was, rel_tol=within)


def _show(value: object) -> str:
    """Return a value as text of at most a line, whatever it is."""
    try:
        return one_line(value if isinstance(value, str) else repr(value), 80)
    except Exception:  # a value of the learner's own may not show itself
        return kind_of(value)


def describe_predictions() -> list[str]:
    """Return one sentence for each guess in this kernel."""
    found = []
    for question, one in _predictions.items():
        template = sentences.PREDICTED_AND_SEEN if one.was else sentences.PREDICTED
        found.append(template.format(question=question, guess=one.guess, was=one.was))
    return found
