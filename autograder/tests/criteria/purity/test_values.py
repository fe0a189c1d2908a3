"""Tokens: equal tokens mean equal content, whatever a value says of itself."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from autograder.criteria.purity.experiments import other_value
from autograder.criteria.purity.values import describe, instance_dict, leaf_token, members, slots


class Liar:
    __slots__ = ("__dict__", "held")
    __class__ = int  # type: ignore[assignment]

    def __getattribute__(self, name):
        return {}


@pytest.mark.parametrize(
    ("value", "other", "words"),
    [
        (1, True, "1"),
        (1.0, 1, "1.0"),
        (0.0, -0.0, "0.0"),
        ("a", b"a", "a string"),
        (None, False, "None"),
        (jnp.ones(2), jnp.zeros(2), "an array"),
        (np.ones(2), np.ones(2, np.float32), "an array"),
        (jax.random.key(0), jax.random.key(1), "an array"),
    ],
)
def test_tokens_of_leaves(value, other, words: str) -> None:
    assert leaf_token(value) == leaf_token(value) != leaf_token(other)
    assert describe(leaf_token(value)) == words


@pytest.mark.parametrize("value", [[], {}, Liar(), np.array([None]), print])
def test_what_has_parts_is_no_leaf(value) -> None:
    assert leaf_token(value) is None


def test_an_object_cannot_lie_about_its_members() -> None:
    liar = Liar()
    object.__setattr__(liar, "held", 3)
    object.__setattr__(liar, "kept", 4)
    assert instance_dict(liar) == {"kept": 4}
    assert [(name, slot.__get__(liar)) for name, slot in slots(Liar) if name == "held"] == [
        ("held", 3)
    ]
    assert set(members(Liar)) == {"__class__", "__getattribute__"}


@pytest.mark.parametrize(
    "value",
    [True, 3, 0.0, "a", (1, "b"), jnp.zeros(2), np.arange(3), np.array([True]), jax.random.key(0)],
)
def test_another_value_is_of_the_same_type(value) -> None:
    other = other_value(value)
    assert type(other) is type(value) and leaf_token(other[0] if type(value) is tuple else other)
    if type(value) is tuple:
        assert other != value
    else:
        assert leaf_token(other) != leaf_token(value)


@pytest.mark.parametrize("value", [None, print, [], (None,), np.array([None])])
def test_what_has_no_other_value_stays(value) -> None:
    assert other_value(value) is value
