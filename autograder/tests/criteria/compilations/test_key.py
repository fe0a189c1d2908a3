"""The key of a call, part by part: names, texts, what is compared, and the fix of each."""

from __future__ import annotations

import functools
import math
from typing import Any

import jax
import numpy as np
import pytest

from autograder.criteria.compilations import watch
from autograder.criteria.compilations.key import Key, Part, fix_of, is_plain, shorten, spell
from autograder.criteria.compilations.watch import Watch

X = np.ones(3, np.float32)


def key_of(function: Any, *args: Any, **kwargs: Any) -> Key:
    """Return the key that is read while a call compiles."""
    with Watch({__file__}).watching() as watching:
        function(*args, **kwargs)
    return watching.compilations[-1].key


def texts(key: Key) -> dict[str, list[str]]:
    """Return the texts of the parts of arguments, by their names."""
    found: dict[str, list[str]] = {}
    for part in key.parts.values():
        if part.kind not in ("OPTION", "CLEARED", "TRANSFORM", "NEW_FUNCTION"):
            found.setdefault(part.name, []).append(part.text)
    return {name: [*dict.fromkeys(words)] for name, words in found.items()}


def test_every_argument_is_a_part() -> None:
    @functools.partial(jax.jit, static_argnames="size")
    def step(x: Any, rates: Any, size: Any) -> Any:
        return x * rates["a"] * size

    key = key_of(step, X, {"a": 1.0}, size=(2, "b")[0])
    assert key.direct and key.operation == ""
    assert texts(key) == {
        "x": ["float32[3]", "not committed to a device"],
        "rates": ["a dict of 1: a"],
        "rates['a']": [
            "float32[] from a Python scalar (weak type)",
            "not committed to a device",
        ],
        "size": ["the static value 2"],
        "step": ["called with (_, _, size=_)"],
    }


def test_a_function_of_jax_that_the_students_code_calls_outside_of_jit() -> None:
    key = key_of(lambda: jax.lax.scan(lambda c, _: (c + X.sum(), None), 0.0, None, length=2))
    assert (key.function, key.operation) == (None, "jax.lax.scan")
    assert texts(key)["f"] == ["the function `<lambda>`"]


@pytest.mark.parametrize(
    ("one", "other", "differs"),
    [
        (Part("STATIC", "n", "", 1), Part("STATIC", "n", "", 1), False),
        (Part("STATIC", "n", "", 1), Part("STATIC", "n", "", 2), True),
        (Part("STATIC", "n", "", 1), Part("SHAPE", "n", "", 1), True),
        (Part("STATIC", "n", "", X), Part("STATIC", "n", "", X + 1), True),
        (Part("STATIC", "n", "", 1), None, True),
    ],
    ids=["equal", "value", "kind", "arrays", "absent"],
)
def test_parts_differ_as_jit_tells_them_apart(one: Part, other: Part | None, differs: bool) -> None:
    assert one.differs(other) is differs


class Settings:
    pass


class ByValue:
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("value", "fix"),
    [
        (1, "STATIC"),
        ((1, "a", None), "STATIC"),
        (X, "STATIC"),
        (math.nan, "NAN"),
        (len, "FUNCTION"),
        (functools.partial(max, 1), "FUNCTION"),
        (Settings(), "OBJECT"),
        (ByValue(), "UNEQUAL"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_the_fix_of_a_static_value(value: object, fix: str) -> None:
    assert fix_of(value, "STATIC") == fix


def test_what_is_plain() -> None:
    assert is_plain((1, [2.0, frozenset("a")]))
    assert not is_plain((1, len)) and not is_plain({})


def test_texts_are_short_and_never_fail() -> None:
    class Broken:
        def __repr__(self) -> str:
            raise ValueError

    assert shorten("a" * 99) == "'" + "a" * 55 + " ..."
    assert shorten(Broken()) == spell(Broken()) == "an object of class Broken"


def test_no_key_where_reading_it_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(watch, "read_key", fail)
    assert key_of(jax.jit(lambda x: x + 2), X) == Key()
