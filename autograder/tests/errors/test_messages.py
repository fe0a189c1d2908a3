"""Each explanation against the situation that brings it up, with the installed JAX's own error."""

import dataclasses
import functools
import importlib
from pathlib import Path
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from IPython.utils.path import get_py_filename
from jax import lax
from jax.experimental import checkify
from jax.sharding import AbstractMesh, AxisType
from jax.sharding import PartitionSpec as P

from autograder.errors.jax_errors import EXPLANATIONS, explain_error
from autograder.model.call_text import call_text

X = jnp.arange(6.0)


def static_array():
    jax.jit(lambda x: x, static_argnums=0)(X)


def leaked():
    kept = []
    jax.jit(lambda x: kept.append(x) or x)(X)
    return kept[0] + 1


def custom_class():
    jax.jit(lambda x: 1)(object())


def swapped_loop():
    def is_large(state: Any) -> Any:
        return state[0] > 1

    def halve(state: Any) -> Any:
        return state[0] / 2, state[1]

    lax.while_loop(halve, is_large, (4.0, 0))


def array_as_aux_data():
    @jax.tree_util.register_dataclass
    @dataclasses.dataclass
    class State:
        M: jax.Array
        O: jax.Array = dataclasses.field(metadata={"static": True})

    step = jax.jit(lambda state: state.M + state.O)
    step(State(X, X))
    step(State(X, X + 1))


def carry_type():
    lax.scan(lambda c, _: (c + 0.5, None), jnp.int32(0), length=3)


def carry_structure():
    lax.scan(lambda c, _: ((c, c), None), X, length=3)


def fori_carry():
    lax.fori_loop(0, 3, lambda i, c: c[:2], X)


def while_carry():
    lax.while_loop(lambda c: c[0] < 3, lambda c: (c[0] + 1, c[1].astype(int)), (0, X))


def on_four_devices(out_specs, over="", **options):
    mesh = AbstractMesh((4,), ("sites",), (AxisType.Auto,))
    shape = jax.ShapeDtypeStruct((6 if out_specs else 8,), jnp.float32)

    def summed(x):
        return lax.psum(x, over) if over else x

    options |= {"in_specs": P("sites"), "out_specs": out_specs}
    jax.eval_shape(jax.shard_map(summed, mesh=mesh, **options), shape)


def test_an_assertion_of_jax_about_a_misspelt_axis():
    with pytest.raises(Exception) as error:
        on_four_devices(P(), over="site")
    line = "return jax.lax.psum(value, 'site')"
    assert explain_error(error.value, code=line)[0] == "unknown-axis"
    assert explain_error(AssertionError(), code="assert n > 0")[0] == "error"


def set_item():
    X[0] = 1.0


def set_named():
    class State(NamedTuple):
        M: jax.Array

    State(X).M = X  # pyright: ignore[reportAttributeAccessIssue]  (a mistake to explain)


def set_frozen():
    @dataclasses.dataclass(frozen=True)
    class State:
        M: jax.Array

    State(X).M = X  # pyright: ignore[reportAttributeAccessIssue]  (a mistake to explain)


def donated():
    y = X + 0
    jax.jit(lambda x: x + 1, donate_argnums=0)(y)
    return y + 1


def donated_twice(*argnums):
    y = X + 0
    jax.jit(lambda a, b: a + b, donate_argnums=argnums)(y, y)


SHAPES = jax.ShapeDtypeStruct(X.shape, X.dtype)


def lowered(x):
    return jax.jit(lambda x, power: x**power, static_argnums=1).lower(x, 2)


def read_donated():
    y = X + 0
    jax.jit(lambda x: x + 1, donate_argnums=0)(y)
    np.asarray(y)


def positions():
    jax.jit(jnp.nonzero)(X)


def positions_by_where():
    jax.jit(lambda x: x[jnp.where(x > 2)])(X)


def unchecked(x):
    checkify.check((x > 0).all(), "not positive")
    return x


def thrown_in_jit():
    def throw(x):
        error, x = checkify.checkify(unchecked)(x)
        error.throw()
        return x

    jax.jit(throw)(X)


# Mistakes that pyright finds too are ignored by their rule.
def halve_down(x):
    return lax.while_loop(lambda x: x > 1, lambda x: x / 2, x)


def own_rule(*rules):
    function = jax.custom_vjp(halve_down)
    if rules:
        function.defvjp(*rules)
    return function


def masked_sum(x, mask):
    @functools.partial(jax.custom_jvp, nondiff_argnums=(1,))
    def masked(x, mask):
        return x * mask

    masked.defjvp(lambda mask, primals, tangents: (primals[0] * mask, tangents[0] * mask))
    return masked(x, mask).sum()


SITUATIONS = {
    "tracer-as-constant": [lambda: jax.grad(jax.jit(masked_sum))(X, X)],
    "missing-file": [lambda: Path("shift.txt").read_text(), lambda: np.loadtxt("counts.csv")],
    "missing-script": [lambda: get_py_filename("my_box.py")],
    "missing-module": [lambda: importlib.import_module("my_box")],
    "length-of-values": [
        positions,
        positions_by_where,
        lambda: jax.jit(jnp.unique)(X),
        lambda: jax.jit(jnp.bincount)(jnp.arange(3)),
        lambda: jax.jit(lambda k: jnp.repeat(X, k))(jnp.arange(3)),
        lambda: jax.jit(lambda k: jax.ops.segment_sum(X, k))(jnp.arange(3)),
        lambda: jax.jit(lambda k: jnp.nonzero(X, size=k))(3),
    ],
    "check-without-checkify": [lambda: jax.jit(unchecked)(X), thrown_in_jit],
    "tracer-into-numpy": [lambda: jax.jit(lambda x: np.zeros(2).__setitem__(0, x[0]))(X)],
    "arithmetic-with-key": [
        lambda: jax.random.normal(jax.random.key(0) + 1),
        lambda: jax.jit(lambda key: 2 * key)(jax.random.key(0)),
    ],
    "format-of-tracer": [lambda: jax.jit(lambda x: f"{x[0]:.1f}")(X)],
    "shapes-only": [lambda: jax.jit(jnp.sin)(SHAPES), lambda: jnp.asarray(SHAPES)],
    "compiled-arguments": [lambda: lowered(X).compile()(X, 2)],
    "compiled-types": [lambda: lowered(X).compile()(X[:2])],
    "not-compiled": [lambda: lowered(X)(X)],  # pyright: ignore[reportCallIssue]
    "waits-for-a-container": [lambda: (X, X).block_until_ready()],  # pyright: ignore[reportAttributeAccessIssue]
    "returns-no-array": [lambda: jax.jit(lambda x: "done")(X)],
    "waits-while-tracing": [lambda: jax.jit(lambda x: x.block_until_ready())(X)],
    "python-branch": [
        lambda: jax.jit(lambda x: x if x[0] > 0 else -x)(X),
        lambda: jax.jit(lambda x: x[0] > 0 and x[1] > 0)(X),
    ],
    "concrete-value": [
        lambda: jax.jit(lambda x: int(x[0]))(X),
        lambda: jax.jit(lambda x: float(x.sum()))(X),
        lambda: jax.jit(lambda n: sum(range(n)))(3),
        lambda: jax.jit(lambda n: [1, 2, 3][n])(1),
    ],
    "numpy-on-tracer": [lambda: jax.jit(lambda x: np.log(x))(X)],
    "leaked-tracer": [leaked],
    "boolean-index": [lambda: jax.jit(lambda x: x[x > 0])(X)],
    "non-hashable-static": [static_array],
    "traced-shape": [
        lambda: jax.jit(lambda x: x.reshape(jnp.prod(jnp.array(x.shape))))(X),
        lambda: jax.jit(lambda n: jnp.zeros(n))(3),
        lambda: jax.jit(lambda n: jnp.arange(6.0)[:n])(3),
    ],
    "array-as-metadata": [array_as_aux_data],
    "not-a-jax-type": [custom_class, lambda: jax.jit(lambda mode: mode)("log")],
    "carry-type": [carry_type, carry_structure, fori_carry, while_carry],
    "scan-pair": [lambda: lax.scan(lambda c, _: c, X, length=3)],  # pyright: ignore[reportArgumentType]
    "register-dataclass": [
        lambda: jax.tree_util.register_dataclass(type("Plain", (), {})),  # pyright: ignore
        lambda: jax.tree_util.register_dataclass(
            dataclasses.make_dataclass("Named", ["M", "kind"]), ["M"], []
        ),
    ],
    "scan-rows": [
        lambda: lax.scan(lambda c, _: (c, None), 0.0, 3),
        lambda: lax.scan(lambda c, _: (c, None), 0.0, range(3)),
        lambda: lax.scan(lambda c, _: (c, None), 0.0),
        lambda: lax.scan(lambda c, _: (c, None), 0.0, X, length=len(X) + 1),
    ],
    "immutable-array": [set_item],
    "incompatible-shapes": [lambda: X + jnp.ones(2), lambda: X @ jnp.ones((2, 2))],
    "immutable-container": [set_named, set_frozen],
    "donated-twice": [lambda: donated_twice(0, 1), lambda: donated_twice(0)],
    "donated": [donated, read_donated],
    "branch-types": [
        lambda: lax.cond(X[0] > 0, lambda: 1.0, lambda: 1),
        lambda: lax.cond(X[0] > 0, lambda: 1.0, lambda: None),
        lambda: lax.switch(0, [lambda: 1.0, lambda: True]),
    ],
    "branch-not-callable": [
        lambda: lax.cond(X[0] > 0, 1.0, 0.0),  # pyright: ignore[reportArgumentType]
        lambda: lax.switch(0, [X, 2 * X]),  # pyright: ignore[reportArgumentType]
    ],
    "while-test": [
        lambda: lax.while_loop(lambda x: x > 1, lambda x: x / 2, X),
        swapped_loop,
    ],
    "choose-mode": [lambda: jax.jit(lambda i: jnp.choose(i, [X, 2 * X]))(1)],
    "bitwise-precedence": [
        lambda: jax.jit(lambda x: x > 1e-5 & (x < 3))(X),
        lambda: jax.jit(lambda x: (x > 1) | x < 3)(X),
        lambda: X[0] > 1.5 & True,  # pyright: ignore[reportOperatorIssue]
    ],
    "array-truth": [lambda: jax.jit(lambda x: x if x > 0 else 0.0)(X)],
    "branch-test": [
        lambda: lax.cond(X > 0, lambda: 1.0, lambda: 0.0),
        lambda: lax.switch(X, [lambda: 1.0, lambda: 0.0]),
        lambda: lax.switch(X[0], [lambda: 1.0, lambda: 0.0]),
    ],
    "no-such-static": [
        lambda: jax.jit(lambda x: x, static_argnames="y")(X),
        lambda: jax.jit(lambda x: x, static_argnums=3)(X),
    ],
    "compiled-while-traced": [lambda: jax.jit(jax.jit(lambda x: 2 * x).lower(X).compile())(X)],
    "negative-power": [
        lambda: jax.jit(lambda x: x**-1)(jnp.arange(3)),
        lambda: jnp.arange(3) ** -1,
    ],
    "nothing-to-map": [lambda: jax.vmap(jnp.sin)(1.0), lambda: jax.jit(jax.vmap(jnp.sin))(1.0)],
    "no-such-method": [
        lambda: X.resize(5),  # pyright: ignore[reportAttributeAccessIssue]
        lambda: jax.jit(lambda x: x.resize(5))(X),
    ],
    "wrong-size": [lambda: jax.jit(lambda x: x.reshape(7))(X)],
    "traced-key": [lambda: jax.jit(lambda k: {0: 1.0}[k])(0)],
    "unhashable-array": [
        lambda: {0: 1.0}[X],  # pyright: ignore[reportArgumentType]
        lambda: functools.lru_cache(lambda x: x)(X),  # pyright: ignore[reportArgumentType]
        lambda: {np.zeros(2)},  # pyright: ignore[reportUnhashable]
    ],
    "reverse-loop": [lambda: jax.grad(halve_down)(9.0)],
    "custom-rule": [
        lambda: jax.grad(own_rule())(9.0),
        lambda: jax.grad(own_rule(lambda x: (x, x), lambda kept, g: g))(9.0),
        lambda: jax.grad(own_rule(lambda x: (x, x), lambda kept, g: (jnp.ones(3),)))(9.0),
        lambda: jax.grad(own_rule(lambda x: x, lambda kept, g: (g,)))(9.0),
        lambda: jax.jvp(own_rule(lambda x: (x, x), lambda kept, g: (g,)), (9.0,), (1.0,)),
    ],
    "differs-between-devices": [lambda: on_four_devices(P())],
    "indivisible": [lambda: on_four_devices(P("sites"))],
    "unknown-axis": [
        lambda: on_four_devices(P("site")),
        lambda: on_four_devices(P(), over="site", check_vma=False),
    ],
    "numpy-random": [lambda: jax.jit(lambda k: np.random.default_rng(k).normal())(0)],
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


def test_every_explanation_is_brought_up_by_a_situation():
    assert set(EXPLANATIONS) == set(SITUATIONS)


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
