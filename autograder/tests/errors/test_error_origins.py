"""An error is explained by the argument that it is about: data, a setting, a field or none."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp
import pytest
from jax import lax

from autograder.errors.error_finding import error_finding
from autograder.errors.error_origins import find_leak
from autograder.errors.jax_errors import error_line, explain_error
from autograder.model.student_code import called
from autograder.programs.jax_private import whole_tracebacks

X = jnp.arange(6.0)


class Table(NamedTuple):
    Y: jax.Array
    p: int


@jax.jit
def branch_on_data(x, n):
    return x if x.sum() > 0 else -x


@jax.jit
def branch_on_setting(x, n):
    return x if n > 0 else -x


@jax.jit
def branch_on_flag(x, on):
    return x[::-1] if on else x


@jax.jit
def calls_with_flag(x, on):
    return branch_on_flag(x, on)


@jax.jit
def branch_in_scan(x):
    def body(carry, _):
        return (carry, None) if x.sum() > 0 else (-carry, None)

    return lax.scan(body, 0.0, length=3)


@functools.partial(jax.jit, static_argnames="n")
def branch_on_known(x, n):
    return x if jnp.asarray(n) > 0 else -x


@jax.jit
def number_of_data(x):
    return float(x.sum())


@jax.jit
def number_of_setting(x, n):
    return x * int(n)


@jax.jit
def number_of_field(table):
    return [table.Y] * range(table.p)[0]


@jax.jit
def shape_of_setting(n):
    return jnp.zeros(n)


@jax.jit
def shape_of_field(table):
    return jnp.zeros(table.p)


@jax.jit
def number_of_carried(table):
    def body(carry, _):
        return carry, float(carry.Y[0]) * int(carry.p)

    def size(carry, _):
        return carry, jnp.zeros(int(carry.p))

    return lax.scan(size if table.Y.size > 3 else body, table, length=2)[1]


@jax.jit
def branch_on_carried(table):
    def body(carry, _):
        return carry, (carry.p if carry.p > 1 else 0)

    return lax.scan(body, table, length=2)[0]


def not_jitted(x):
    return x if x.sum() > 0 else -x


@functools.partial(jax.jit, static_argnums=0)
def static_array(x, n):
    return x * n


@jax.jit
def calls_with_traced_number(x, n):
    return with_setting(x, n)


@functools.partial(jax.jit, static_argnames="n")
def with_setting(x, n):
    return x * n


@jax.jit
def calls_with_data(x):
    return with_setting(x, x[0])


@functools.partial(jax.jit, static_argnames="n")
def calls_with_known(x, n):
    return with_setting(x, jnp.add(n, 1))


@functools.partial(jax.jit, static_argnames="n")
def indexes_by_known(x, n):
    return x[jnp.arange(x.size) >= n]


@jax.jit
def indexes_by_setting(x, n):
    return x[jnp.arange(x.size) >= n]


@jax.jit
def indexes_flags_by_known(x):
    return (x > 0)[jnp.arange(x.size) >= 2]


@jax.jit
def reads_what_is_around(x):
    @jax.jit
    def inner():
        return 1.0 if kept[0] > 0 else 0.0

    kept = [x[0]]
    return inner()


@functools.lru_cache
def cached(x):
    return x + 1


SITUATIONS = [
    (branch_on_data, (X, 2), "branch-on-data", "(`x`)"),
    (branch_on_setting, (X, 2), "python-branch", 'static_argnames="n"'),
    (branch_on_flag, (X, True), "python-branch", 'static_argnames="on"'),
    (branch_on_flag, (X, X[0] > 0), "python-branch", "one of two ways: make the argument static"),
    (calls_with_flag, (X, True), "python-branch", "one of two ways: make the argument static"),
    (branch_in_scan, (X,), "python-branch", "this value is a tracer"),
    (branch_on_known, (X, 2), "known-value", "Nothing has to become static"),
    (number_of_data, (X,), "number-from-data", "(`x`)"),
    (number_of_setting, (X, 2), "concrete-value", 'static_argnames="n"'),
    (number_of_field, (Table(X, 2),), "concrete-value", "`table.p` was a plain number"),
    (shape_of_setting, (2,), "traced-shape", 'static_argnames="n"'),
    (shape_of_field, (Table(X, 2),), "traced-shape", "`table.p` was a plain number"),
    (number_of_carried, (Table(X, 2),), "concrete-value", "`carry.p` was a plain number"),
    (number_of_carried, (Table(X[:2], 2),), "number-from-data", "data"),
    (branch_on_carried, (Table(X, 2),), "branch-on-data", "(`carry.p`)"),
    (jax.jit(lambda *leaves: not_jitted(*leaves)), (X,), "branch-on-data", "data"),
    (static_array, (X, 2), "non-hashable-static", "`x` is static, but holds an array"),
    (cached, (X,), "cached-array", "lru_cache"),
    (calls_with_traced_number, (X, 2), "traced-static", "static there, too"),
    (calls_with_data, (X,), "non-hashable-static", "leave it traced"),
    (calls_with_known, (X, 2), "known-static", "`n + 1`, not `jnp.add(n, 1)`"),
    (indexes_by_known, (X, 2), "known-mask", "x[np.arange(x.size) >= start]"),
    (indexes_flags_by_known, (X,), "known-mask", "depends on no argument's values"),
    (indexes_by_setting, (X, 2), "boolean-index", "depends on values"),
    (reads_what_is_around, (X,), "python-branch", "this value is a tracer"),
    (jax.jit(jnp.add), (jnp.ones((3, 2)), jnp.ones(3)), "needs-an-axis", "x[:, None]"),
    (jax.jit(jnp.add), (jnp.ones((3, 2)), jnp.ones(4)), "incompatible-shapes", "data"),
]


@pytest.mark.parametrize(("function", "args", "rule", "says"), SITUATIONS)
def test_the_argument_at_fault_decides(function, args, rule, says):
    with whole_tracebacks(), pytest.raises(Exception) as error:
        called(function, *args)
    got, text = explain_error(error.value, files={__file__})
    assert (got, says in text) == (rule, True), text


def test_a_while_is_reported_as_a_loop():
    @jax.jit
    def shrink(x):
        while x > 1:
            x = x / 2
        return x

    with pytest.raises(Exception) as error:
        shrink(X[5])
    rule, text = explain_error(error.value, files={__file__}, code="while x > 1:")
    assert rule == "python-while" and "lax.while_loop" in text


def unpack_shape(x):
    (n,) = x[None].shape
    return x + n


BY_LINE = [
    (lambda x: sorted(x), "return sorted(x)", "python-compares", "jnp.sort"),
    (lambda x: max(x[0], x[1]), "return max(x[0], x[1])", "python-compares", "jnp.maximum"),
    (
        lambda x: lax.cond(x[0] > 1, lambda a: a, lambda: 0.0, x[0]),
        "return lax.cond(x[0] > 1, lambda a: a, lambda: 0.0, x[0])",
        "branch-arguments",
        "f(*args)",
    ),
    (
        lambda x: lax.switch(0, [jnp.sin, jnp.cos]),
        "return lax.switch(0, [jnp.sin, jnp.cos])",
        "branch-arguments",
        "f(*args)",
    ),
    (
        lambda x: lax.switch(0, jnp.sin, jnp.cos, x),  # pyright: ignore[reportArgumentType]
        "return lax.switch(0, jnp.sin, jnp.cos, x)",
        "branch-not-callable",
        "`lax.switch` a list of them",
    ),
    (
        lambda x: jax.jit(jnp.add, static_argnames=1)(x, 2),  # pyright: ignore[reportArgumentType]
        "return jax.jit(jnp.add, static_argnames=1)(x, 2)",
        "no-such-static",
        "names in quotes",
    ),
    (
        lambda x: jax.jit(jnp.add, static_argnums="y")(x, 2),  # pyright: ignore[reportArgumentType]
        'return jax.jit(jnp.add, static_argnums="y")(x, 2)',
        "no-such-static",
        "positions, which count from 0",
    ),
    (unpack_shape, "(n,) = x[None].shape", "number-of-axes", "one number of axes only"),
]


@pytest.mark.parametrize(("function", "code", "rule", "says"), BY_LINE)
def test_the_line_decides_too(function, code, rule, says):
    with pytest.raises(Exception) as error:
        jax.jit(function)(X)
    got, text = explain_error(error.value, files={__file__}, code=code)
    assert (got, says in text) == (rule, True), text


def test_a_product_of_matrices_that_do_not_fit():
    with pytest.raises(TypeError) as error:
        jax.jit(lambda x: x @ x)(jnp.ones((2, 3)))
    rule, text = explain_error(error.value)
    assert rule == "incompatible-shapes" and "`jnp.sum(a * b)`" in text


def test_an_error_is_cut_between_words():
    line = error_line(ValueError("one two three " * 50), most=40)
    assert line == "ValueError: one two three one two ..."


def test_a_first_line_that_only_announces_is_shown_with_what_follows():
    def grows(carry, _):
        return (carry[0], jnp.append(carry[1], 1.0)), None

    with pytest.raises(TypeError) as error:
        jax.lax.scan(grows, (0.0, jnp.zeros(2)), length=3)
    line = error_line(error.value)
    assert line.count("\n") == 0 and "carry[1] has type float32[2]" in line, line
    with pytest.raises(TypeError) as error:
        jax.lax.cond(True, lambda: 1.0, lambda: 1)
    assert "true_fun has type float32[]" in error_line(error.value)
    with pytest.raises(ValueError) as error:
        jax.vmap(lambda x, y: x + y)(jnp.zeros(2), jnp.zeros(3))
    assert "size 2: axis 0 of argument x" in error_line(error.value)
    assert "size 3: axis 0 of argument y" in error_line(error.value)


def test_an_address_is_left_out():
    error = TypeError("Error interpreting argument to <function f at 0x7f4fe8770540> as an array.")
    assert error_line(error).endswith("to <function f> as an array.")


def test_a_leak_is_where_the_tracer_was_made():
    def sums(x):
        kept = []
        jax.lax.scan(lambda _, row: (kept.append(row + 1.0), None), None, x)
        return kept[0]

    with pytest.raises(jax.errors.UnexpectedTracerError) as error:
        jax.jit(sums)(X)
    line = find_leak(error.value)
    assert line is not None and line.file == __file__ and "kept.append(row + 1.0)" in line.text
    assert error_finding(error.value, {__file__}).line == line
    assert find_leak(ValueError(str(error.value))) is None
