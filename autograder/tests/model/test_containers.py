"""A step returns the containers that it was given."""

from __future__ import annotations

from typing import NamedTuple

import jax.numpy as jnp
import pytest

from autograder.model.adapters import keep_containers
from autograder.model.finding import AdapterError


class State(NamedTuple):
    steps: object
    empty: tuple


ONE = jnp.ones(1)


def step(params, state):
    return {name: x + 1 for name, x in params.items()}, state, x_of(params)


def x_of(params):
    return params["x"]


@pytest.mark.parametrize("state", [(ONE, ()), [ONE, None], State(ONE, ()), ({"a": ONE}, (ONE,))])
def test_the_same_containers_pass(state):
    params, again, x = keep_containers(step, {0: 0, 1: 1})({"x": ONE}, state)
    assert (params["x"], again, x) == (2, state, ONE)


@pytest.mark.parametrize(
    ("given", "returned", "words"),
    [
        (
            (ONE, ()),
            [ONE, ()],
            "`result[1]` is a list of an array, a tuple, and the argument that it is the new value "
            "of was a tuple of an array, a tuple.",
        ),
        ((ONE, ()), (ONE,), "is a tuple of an array, and the argument"),
        ((ONE,), (ONE, None), "is a tuple of an array, None, and the argument"),
    ],
)
def test_another_container_is_named(given, returned, words):
    looked_at = keep_containers(lambda params, state: (params, returned), {0: 0, 1: 1})
    with pytest.raises(AdapterError) as caught:
        looked_at({"x": ONE}, given)
    assert words in str(caught.value)
    assert str(caught.value).endswith("Return the same containers, with new arrays in them.")


@pytest.mark.parametrize("result", [ONE, (ONE,), {"a": ONE}, (ONE, {"count": ONE})])
def test_other_pieces_are_left_to_the_judge(result):
    assert keep_containers(lambda *_: result, {1: 1})(ONE, State(ONE, ())) is result
