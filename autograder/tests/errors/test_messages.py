"""Other code than the table's examples that must be explained by the same entries."""

from __future__ import annotations

import dataclasses
import functools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from IPython.utils.path import get_py_filename
from jax import lax
from jax.experimental import checkify
from jax.sharding import AbstractMesh, AxisType
from jax.sharding import PartitionSpec as P

from autograder.errors.jax_errors import explain_error
from autograder.model.call_text import call_text
from autograder.model.error_table import ERROR_RULES

X = jnp.arange(6.0)
SHAPES = jax.ShapeDtypeStruct(X.shape, X.dtype)


def sum_over(axis):
    def summed(x):
        return lax.psum(x, axis)

    mesh = AbstractMesh((4,), ("sites",), (AxisType.Auto,))
    over = jax.shard_map(summed, mesh=mesh, in_specs=P("sites"), out_specs=P(), check_vma=False)
    jax.eval_shape(over, jax.ShapeDtypeStruct((8,), jnp.float32))


def test_an_assertion_of_jax_about_a_misspelt_axis():
    with pytest.raises(Exception) as error:
        sum_over("site")
    line = "return jax.lax.psum(value, 'site')"
    assert explain_error(error.value, code=line)[0] == "unknown-axis"
    assert explain_error(AssertionError(), code=line)[0] == "unknown-axis"
    assert explain_error(AssertionError(), code="assert n > 0")[0] == "error"
    assert explain_error(AssertionError("n > 0"), code=line)[0] == "error"


def swapped_loop():
    def is_large(state: Any) -> Any:
        return state[0] > 1

    def halve(state: Any) -> Any:
        return state[0] / 2, state[1]

    lax.while_loop(halve, is_large, (4.0, 0))


def fori_carry():
    lax.fori_loop(0, 3, lambda i, c: c[:2], X)


def while_carry():
    lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1].astype(int)), (0, X))


def set_frozen():
    @dataclasses.dataclass(frozen=True)
    class State:
        M: jax.Array

    State(X).M = X  # pyright: ignore[reportAttributeAccessIssue]  (a mistake to explain)


def donated():
    y = X + 0
    jax.jit(lambda x: x + 1, donate_argnums=0)(y)
    return y + 1


def donated_twice():
    y = X + 0
    jax.jit(lambda a, b: a + b, donate_argnums=0)(y, y)


def thrown_in_jit():
    def positive(x):
        checkify.check((x > 0).all(), "not positive")
        return x

    def throw(x):
        error, x = checkify.checkify(positive)(x)
        error.throw()
        return x

    jax.jit(throw)(X)


def own_rule(*rules):
    def halved(x):
        return lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)

    function = jax.custom_vjp(halved)
    function.defvjp(*rules)
    return function


# Mistakes that pyright finds too are ignored by their rule.
SITUATIONS = {
    "missing-file": [
        lambda: np.loadtxt("counts.csv"),
        lambda: get_py_filename("my_box.py"),  # %run my_box.py
    ],
    "length-of-values": [
        lambda: jax.jit(lambda x: x[jnp.where(x > 2)])(X),
        lambda: jax.jit(jnp.unique)(X),
        lambda: jax.jit(jnp.bincount)(jnp.arange(3)),
        lambda: jax.jit(lambda k: jnp.repeat(X, k))(jnp.arange(3)),
        lambda: jax.jit(lambda k: jax.ops.segment_sum(X, k))(jnp.arange(3)),
        lambda: jax.jit(lambda k: jnp.nonzero(X, size=k))(3),
    ],
    "check-without-checkify": [thrown_in_jit],
    "arithmetic-with-key": [lambda: jax.jit(lambda key: 2 * key)(jax.random.key(0))],
    "shapes-only": [lambda: jax.jit(jnp.sin)(SHAPES)],
    "python-branch": [lambda: jax.jit(lambda x: x[0] > 0 and x[1] > 0)(X)],
    "concrete-value": [
        lambda: jax.jit(lambda x: int(x[0]))(X),
        lambda: jax.jit(lambda n: sum(range(n)))(3),
        lambda: jax.jit(lambda n: [1, 2, 3][n])(1),
    ],
    "non-hashable-static": [lambda: jax.jit(lambda x: x, static_argnums=0)(X)],
    "traced-shape": [
        lambda: jax.jit(lambda x: x.reshape(jnp.prod(jnp.array(x.shape))))(X),
        lambda: jax.jit(lambda n: jnp.zeros(n))(3),
    ],
    "not-a-jax-type": [lambda: jax.jit(lambda x: 1)(object())],
    "carry-type": [fori_carry, while_carry],
    "register-dataclass": [
        lambda: jax.tree_util.register_dataclass(
            dataclasses.make_dataclass("Named", ["M", "kind"]), ["M"], []
        ),
    ],
    "scan-rows": [
        lambda: lax.scan(lambda c, _: (c, None), 0.0, range(3)),
        lambda: lax.scan(lambda c, _: (c, None), 0.0),
        lambda: lax.scan(lambda c, _: (c, None), 0.0, X, length=len(X) + 1),
    ],
    "incompatible-shapes": [lambda: X @ jnp.ones((2, 2))],
    "immutable-container": [set_frozen],
    "donated-twice": [donated_twice],
    "donated": [donated],
    "branch-types": [
        lambda: lax.cond(X[0] > 0, lambda: 1.0, lambda: None),
        lambda: lax.switch(0, [lambda: 1.0, lambda: True]),
    ],
    "branch-not-callable": [
        lambda: lax.switch(0, [X, 2 * X]),  # pyright: ignore[reportArgumentType]
    ],
    "while-test": [swapped_loop],
    "bitwise-precedence": [
        lambda: jax.jit(lambda x: (x > 1) | x < 3)(X),
        lambda: X[0] > 1.5 & True,  # pyright: ignore[reportOperatorIssue]
    ],
    "array-truth": [lambda: jax.jit(lambda x: x if x > 0 else 0.0)(X)],
    "branch-test": [
        lambda: lax.switch(X, [lambda: 1.0, lambda: 0.0]),
        lambda: lax.switch(X[0], [lambda: 1.0, lambda: 0.0]),
    ],
    "no-such-static": [lambda: jax.jit(lambda x: x, static_argnums=3)(X)],
    "negative-power": [lambda: jax.jit(lambda x: x**-1)(jnp.arange(3))],
    "nothing-to-map": [lambda: jax.jit(jax.vmap(jnp.sin))(1.0)],
    "no-such-method": [
        lambda: X.resize(5),  # pyright: ignore[reportAttributeAccessIssue]
    ],
    "unhashable-array": [
        lambda: functools.lru_cache(lambda x: x)(X),  # pyright: ignore[reportArgumentType]
        lambda: {np.zeros(2)},  # pyright: ignore[reportUnhashable]
    ],
    "custom-rule": [
        lambda: jax.grad(own_rule(lambda x: (x, x), lambda kept, g: g))(9.0),
        lambda: jax.grad(own_rule(lambda x: (x, x), lambda kept, g: (jnp.ones(3),)))(9.0),
        lambda: jax.grad(own_rule(lambda x: x, lambda kept, g: (g,)))(9.0),
        lambda: jax.jvp(own_rule(lambda x: (x, x), lambda kept, g: (g,)), (9.0,), (1.0,)),
    ],
    "unknown-axis": [lambda: sum_over("site")],
}


@pytest.mark.parametrize(
    ("rule", "situation"),
    [(rule, s) for rule, situations in SITUATIONS.items() for s in situations],
)
@pytest.mark.filterwarnings("ignore:Some donated buffers were not usable")
def test_situation_and_explanation(rule, situation):
    with pytest.raises(Exception) as error:
        situation()
    got, text = explain_error(error.value)
    assert got == rule, text
    first, explanation = text.split("\n", 1)
    assert first.startswith(type(error.value).__name__)
    assert explanation
    assert "See https" not in text


def test_every_situation_is_of_an_entry():
    assert set(SITUATIONS) < ERROR_RULES


def test_any_other_error_is_shown_as_it_is():
    rule, text = explain_error(ZeroDivisionError("division by zero"))
    assert rule == "error"
    assert text.startswith("ZeroDivisionError: division by zero\n")


def test_the_call_as_the_student_would_type_it():
    call = call_text("fit", (np.zeros((3, 2), np.float32), 2, {"B": np.ones(1)}, (True,)))
    assert call == "fit(float32[3,2], 2, {'B': jnp.array([1.0])}, (True,))"


def test_a_call_whose_array_was_donated():
    given = jnp.arange(3.0)
    given.delete()
    assert call_text("move", (given,)) == "move(float32[3])"
