"""What lesson `debugging` says of JAX, run."""

import jax
import jax.numpy as jnp
import pytest
from jax import lax
from jax.experimental import checkify

from plnkit.compile_counts import compile_counts

X = jnp.array([10.0, 20.0, 30.0])
LEAVES, BAD = 40, 37


@pytest.mark.parametrize(("index", "read", "filled"), [(2, 30, 30), (3, 30, None), (-1, 30, 30)])
def test_an_index_out_of_range_reads_something(index, read, filled):
    assert jax.jit(lambda x, i: x[i])(X, index) == read
    fill = jax.jit(lambda x, i: x.at[i].get(mode="fill"))(X, index)
    assert jnp.isnan(fill) if filled is None else fill == filled


def test_a_write_past_the_end_is_dropped():
    assert jax.jit(lambda x, i: x.at[i].set(0.0))(X, 3).tolist() == X.tolist()
    assert jax.jit(lambda x, i: x.at[i].set(0.0))(X, -1).tolist() == [10, 20, 0]


@pytest.mark.parametrize(("index", "reported"), [(2, False), (3, True), (-1, False)])
def test_index_checks_take_a_negative_index_for_one_from_the_end(index, reported):
    read = jax.jit(checkify.checkify(lambda x, i: x[i], errors=checkify.index_checks))
    error, _ = read(X, index)
    assert (error.get() is not None) == reported


def loss_of(b, y, o):
    mean = jnp.exp(o + b)
    return (mean - y * jnp.log(mean)).mean()


def fit(Y, O):
    def step(b, leaf):
        loss, slope = jax.value_and_grad(loss_of)(b, *leaf)
        return b - 0.1 * slope, loss

    return lax.scan(step, jnp.zeros_like(Y[0]), (Y, O))


@pytest.fixture
def data():
    """Counts and offsets in which one leaf has no reads."""
    Y, O = jnp.full((LEAVES, 3), 2.0), jnp.zeros((LEAVES, 3))
    return Y.at[BAD].set(0.0), O.at[BAD].set(-jnp.inf)


def test_nan_spreads_from_the_leaf_without_reads(data):
    b, losses = jax.jit(fit)(*data)
    assert jnp.isnan(losses).tolist() == [i >= BAD for i in range(LEAVES)]
    assert jnp.isnan(b).all()


def test_debug_nans_raises_at_a_jitted_function(data):
    with jax.debug_nans(True), pytest.raises(FloatingPointError, match="nan"):
        jax.jit(fit)(*data)


def test_debug_print_sees_each_step(capfd):
    def step(total, x):
        jax.debug.print("adds {x}", x=x)
        return total + x, None

    jax.jit(lambda x: lax.scan(step, 0.0, x)[0])(X)
    jax.effects_barrier()
    assert capfd.readouterr().out.splitlines() == ["adds 10.0", "adds 20.0", "adds 30.0"]


def test_float_checks_report_nan_and_make_the_program_longer(data):
    checked = jax.jit(checkify.checkify(fit, errors=checkify.float_checks))
    error, _ = checked(*data)
    with pytest.raises(Exception, match="nan"):
        error.throw()
    lengths = [len(f.lower(*data).as_text().splitlines()) for f in (jax.jit(fit), checked)]
    assert lengths[1] > 1.5 * lengths[0]


def test_a_check_in_a_scan_names_the_first_step(data):
    Y, O = data

    def step(_, i):
        loss = loss_of(0.0, Y[i], O[i])
        checkify.check(~jnp.isnan(loss), "NaN at leaf {leaf}", leaf=i)
        return None, loss

    checked = jax.jit(checkify.checkify(lambda: lax.scan(step, None, jnp.arange(LEAVES))))
    assert f"NaN at leaf {BAD}" in (checked()[0].get() or "")


def log_depth(depth):
    checkify.check((depth > 0).all(), "a depth is {low}", low=depth.min())
    return jnp.log(depth)


def test_checkify_once_compiles_once():
    checked, low = jax.jit(checkify.checkify(log_depth)), X - 10
    with compile_counts() as counted:
        errors = [checked(depth)[0] for depth in (X, low, X)]
    assert [error.get() is None for error in errors] == [True, False, True]
    assert counted["compilations"] == 1
    with compile_counts() as counted:
        for _ in range(2):
            jax.jit(checkify.checkify(log_depth))(X)
    assert counted["compilations"] == 2
