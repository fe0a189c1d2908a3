"""Programs of functions that equinox, flax and optax have jitted, and why they compile again."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

from autograder import compiles

X, Y = np.ones((3, 2), np.float32), np.ones((4, 2), np.float32)


def reasons(programs: list[Any]) -> list[str]:
    return [program.reason.partition(": ")[0].partition(" because ")[2] for program in programs[1:]]


def test_equinox() -> None:
    eqx = pytest.importorskip("equinox", reason="needs equinox")

    class Line(eqx.Module):
        weight: Any
        offset: float
        bias: bool = eqx.field(static=True)
        activation: Any = jnp.tanh

        @eqx.filter_jit
        def predict(self, x):
            return self.activation(x * self.weight) + self.offset

    @eqx.filter_jit
    def call(model, x, scale=None):
        return model.activation(x * model.weight)

    weight = jnp.ones(2)
    with compiles(at_most=9) as programs:
        call(Line(weight, 1.0, True), X)
        call(Line(2 * weight, 1.0, True), X)
        call(Line(weight, 2.0, True), X)
        call(Line(weight, 2.0, False), X)
        call(Line(weight, 2.0, False), Y)
        call(Line(weight, 2.0, False), x=Y)
        call(Line(weight, 2.0, False, jnp.sin), Y)
    assert {program.name for program in programs} == {"call"}
    *first, last = reasons(programs)
    assert first == [
        "`model.offset` was the static value 1.0 and is now the static value 2.0",
        "`model.bias` was the static value True and is now the static value False",
        "`x` was float32[3,2] and is now float32[4,2]",
    ]
    assert last.startswith("`model.activation` was")
    with compiles(at_most=9) as programs:
        Line(weight, 1.0, True).predict(X)
        Line(weight, 2.0, True).predict(X)
    assert reasons(programs) == [
        "`self.offset` was the static value 1.0 and is now the static value 2.0"
    ]
    assert "pass numbers as arrays" in programs[1].reason


def test_a_new_function_under_filter_jit() -> None:
    eqx = pytest.importorskip("equinox", reason="needs equinox")
    with compiles(at_most=9) as programs:
        for _ in range(2):
            eqx.filter_jit(lambda x: x + 1)(jnp.ones(3))
    assert "a new function object each time (the function `<lambda>`)" in programs[1].reason


def test_a_module_of_a_library_by_of() -> None:
    eqx = pytest.importorskip("equinox", reason="needs equinox")
    model = eqx.nn.Linear(2, 3, key=jax.random.key(0))
    with compiles(at_most=1, of=model) as programs:
        eqx.filter_jit(model)(X[0])
    assert [program.name for program in programs] == ["__call__"]


def test_flax() -> None:
    nnx = pytest.importorskip("flax.nnx", reason="needs flax")

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.linear = nnx.Linear(2, 3, rngs=rngs)
            self.dropout = nnx.Dropout(0.1, rngs=rngs)

        def __call__(self, x):
            return self.dropout(self.linear(x))

    @nnx.jit
    def train(model, optimizer, x):
        gradient = nnx.grad(lambda m: jnp.mean(m(x) ** 2))(model)
        optimizer.update(model, gradient)

    model = Net(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
    with compiles(at_most=9) as programs:
        train(model, optimizer, X)
        train(model, optimizer, X)
        train(model, optimizer, Y)
        model.eval()
        train(model, optimizer, Y)
    assert {program.name for program in programs} == {"train"}
    assert reasons(programs) == [
        "`x` was float32[3,2] and is now float32[4,2]",
        "`model.dropout.deterministic` was the static value False and is now the static value True",
    ]


def test_an_optax_loop_outside_of_jit_compiles_nothing_of_the_projects() -> None:
    optimizer = optax.adam(0.1)
    weights = jnp.ones(5)
    state = optimizer.init(weights)
    with compiles(at_most=0):
        for _ in range(2):
            gradient = jax.grad(lambda w: jnp.sum(w**2))(weights)
            updates, state = optimizer.update(gradient, state)
            weights = optax.apply_updates(weights, updates)


def test_a_batch_that_vmap_hides() -> None:
    @jax.jit
    def norm(x):
        return jnp.sum(x**2)

    with compiles(at_most=2) as programs:
        for x in (X, X, Y):
            jax.vmap(norm)(x)
    assert reasons(programs) == ["`x` was float32[3,2] and is now float32[4,2]"]


def test_grad_outside_and_inside_of_jit() -> None:
    @jax.jit
    def norm(x):
        return jnp.sum(x**2)

    with compiles(at_most=9) as programs:
        jax.grad(norm)(X)
        norm(X)
        jax.jit(jax.grad(norm))(X)
    words = [program.reason for program in programs]
    assert len(words) == 4
    assert "once more for grad or vmap applied to it outside jit" in words[1]
    assert "once more for a call without grad or vmap" in words[2]
    assert "a new function object each time (a wrapper of the function `norm`)" in words[3]


def test_scan_outside_of_jit() -> None:
    def body(total, x):
        return total + x, None

    with compiles(at_most=2) as programs:
        for x in (X, X, Y):
            jax.lax.scan(body, jnp.zeros(2), x)
    assert len(programs) == 2
    assert "was float32[3,2] and is now float32[4,2]" in programs[1].reason


def test_a_decorated_function() -> None:
    step = jax.jit(lambda x: 2 * x)

    @compiles(at_most=1)
    def fit(depth: int, x: Any) -> Any:
        return step(x) if depth == 0 else fit(depth - 1, x)

    fit(2, X)
    with pytest.raises(AssertionError, match="compiled 2 programs"):
        compiles(at_most=1)(lambda: [step(np.ones(n)) for n in (8, 9)])()


def test_a_long_list_is_cut() -> None:
    step = jax.jit(lambda x: 2 * x)
    with pytest.raises(AssertionError) as failure, compiles(at_most=0):
        for n in range(1, 13):
            step(np.ones(n))
    assert str(failure.value).splitlines()[-1] == "  and 2 more"


def test_jit_of_a_partial_of_a_librarys_function_is_the_projects() -> None:
    clipped = [partial(jnp.clip, min=0.0) for _ in range(2)]
    with compiles(at_most=2) as programs:
        for function in clipped:
            jax.jit(function)(np.ones(3, np.float32))
    assert [program.name for program in programs] == ["clip", "clip"]
    assert "a functools.partial of the function `clip` of jax" in programs[1].reason


def test_a_partial_that_a_library_has_jitted_is_the_librarys(monkeypatch) -> None:
    own = jax.jit(partial(optax.squared_error))
    home = sys.modules[optax.squared_error.__module__]
    monkeypatch.setattr(home, "own_error", own, raising=False)
    with compiles(at_most=0):
        own(np.ones(3, np.float32))
