"""Lesson `modules`: an object is split into arrays and a hashable skeleton, and put together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from autograder.model.adapters import note_impurity
from autograder.model.exercise import ProgramExercise
from autograder.model.finding import AdapterError
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, Array

ACTIVATIONS: Mapping[str, Callable[[Any], Any]] = {
    "exp": lambda z: jnp.exp(z),  # two functions of one name
    "tanh": lambda z: jnp.tanh(z),
    "square": jnp.square,
}


class Line:
    """A model of another class than the notebook's: its activation is a name."""

    def __init__(self, weights: Any, offset: Any, power: int) -> None:
        self.name, self.power = "line", power
        self.slope, self.offset = weights, offset

    def __call__(self, z: Any) -> Any:
        return self.power * (z @ self.slope) + self.offset


def draws(rng: np.random.Generator) -> list[tuple]:
    """Latent positions, weights, offsets, the name of an activation, or of a class, and a power.

    Models of one shape differ in arrays or in settings; one is larger than the oaks.
    """

    def arrays(n: int, k: int, p: int) -> tuple[Array, Array, Array]:
        shapes = (n, k), (k, p), p
        z, weights, offset = (rng.normal(scale=0.3, size=s).astype(np.float32) for s in shapes)
        return z, weights, offset

    first, second, (n, p) = arrays(5, 2, 3), arrays(5, 2, 3), LARGER
    z, weights, _ = arrays(5, 2, 3)
    return [
        (*first, "exp", 1),
        (*second, "exp", 1),
        (z, np.full_like(weights, rng.uniform(0.1, 0.9)), first[2].copy(), "exp", 2),
        (*arrays(5, 2, 3), "tanh", 1),
        (*arrays(5, 2, 3), "line", 3),
        (*arrays(1, 1, 1), "square", 1),
        (*arrays(n, 2, p), "exp", 1),
    ]


def apply(z: Array, weights: Array, offset: Array, activation: str, power: int) -> Any:
    """What a model computes; the reference in NumPy."""
    eta = z @ weights
    if activation == "line":
        return power * eta + offset
    return getattr(np, activation)(eta + offset) ** power


NOT_A_PAIR = (
    "`split(model)` returns {got}, and it should return a pair: the skeleton and the arrays."
)
NOT_ARRAYS = (
    "`split(model)` gives the arrays {got}, and the model's attributes that are JAX arrays are "
    "{expected}: a dictionary of these, and of nothing else."
)
OTHER_CLASS = (
    "`merge(skeleton, arrays)` returns {got}, and it should return a new model: {expected}."
)
CHANGED = (
    "the model that was split has changed: its attribute `{name}` is another one afterwards. "
    "`merge` must make a new object."
)


def on_a_model(namespace: Mapping[str, Any]) -> Callable[..., Any]:
    """The student's `decode`, called with a model that is built of the arguments."""
    decoder = namespace["Decoder"]

    def decoded(z: Any, weights: Any, offset: Any, activation: str, power: int) -> Any:
        is_line = activation == "line"
        model = (
            Line(weights, offset, power)
            if is_line
            else decoder(weights, offset, ACTIVATIONS[activation], power)
        )
        before = dict(vars(model))
        _look_at_parts(namespace, model)
        result = namespace["decode"](model, z)
        for name in {*before, *vars(model)}:
            if vars(model).get(name) is not before.get(name):
                note_impurity(CHANGED.format(name=name), namespace["merge"])
        return result

    return decoded


def _look_at_parts(namespace: Mapping[str, Any], model: Any) -> None:
    """Raise an error if the parts of a model are not what the task says."""
    parts = namespace["split"](model)
    if not isinstance(parts, (tuple, list)) or len(parts) != 2:
        raise AdapterError(NOT_A_PAIR.format(got=f"a {type(parts).__name__}"), namespace["split"])
    skeleton, arrays = parts
    expected = sorted(name for name, x in vars(model).items() if isinstance(x, jax.Array))
    got = sorted(map(str, arrays)) if isinstance(arrays, dict) else type(arrays).__name__
    # The starter's skeleton is the model itself: what it compiles says what is wrong.
    if got != expected and skeleton is not model:
        text = NOT_ARRAYS.format(got=got, expected=expected)
        raise AdapterError(text, namespace["split"])
    merged = namespace["merge"](skeleton, arrays)
    if type(merged) is not type(model):
        words = {"got": f"a {type(merged).__name__}", "expected": f"a {type(model).__name__}"}
        raise AdapterError(OTHER_CLASS.format(**words), namespace["merge"])


rubric = Rubric(
    lesson="modules",
    learned="jit with equinox and flax nnx: data and settings of a module, split and merge",
    minutes=30,
    track="At work",
    exercises=(
        ProgramExercise(
            name="modules",
            minutes=10,
            difficulty="medium",
            importance=2,
            entry_points=("decode", "split", "merge", "Decoder"),
            draws=draws,
            reference=apply,
            adapter=on_a_model,
            points={"outputs": 3, "purity": 1, "compilations": 3},
        ),
    ),
)
