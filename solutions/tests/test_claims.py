"""What the lessons say of JAX, run: on every jax that the kit supports."""

import re
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import SingleDeviceSharding

from plnkit import load_oaks
from plnkit.compile_counts import compile_counts


def compilations(function, *arguments, **keywords) -> int:
    """How many programs a call compiles."""
    with compile_counts() as counted:
        jax.block_until_ready(function(*arguments, **keywords))
    return counted["compilations"]


def primitives(function, *arguments) -> list[str]:
    """The operations of a function's jaxpr."""
    return [equation.primitive.name for equation in jax.make_jaxpr(function)(*arguments).eqns]


def compiled_text(function, *arguments) -> str:
    """The program that XLA makes."""
    return jax.jit(function).lower(*arguments).compile().as_text() or ""


@pytest.fixture
def power_sums():
    @partial(jax.jit, static_argnames="power")
    def power_sums(x, power):
        return jnp.sum(x**power, axis=0)

    return power_sums


def test_ahead_of_time_fills_the_cache_of_the_jitted_function(power_sums):
    x, few = jnp.ones((6, 4)), jnp.ones((3, 4))
    squares = power_sums.lower(jax.ShapeDtypeStruct(x.shape, x.dtype), 2).compile()
    assert compilations(power_sums, x, 2) == 0
    assert compilations(squares, x) == 0
    assert compilations(power_sums, x, power=2) == 1
    assert compilations(power_sums, few, 2) == 1
    assert compilations(jax.jit(lambda x: power_sums(x, 2)), x) == 1
    with pytest.raises(TypeError):
        squares(few)


def test_what_was_traced_is_found_again_where_jit_is_applied_anew():
    traced = []

    def doubled(x):
        traced.append(x.shape)
        return 2 * x

    three, four = jnp.ones(3), jnp.ones(4)
    for x in (three, three, four):
        jax.jit(doubled)(x)
    assert traced == [(3,), (4,)]
    jax.clear_caches()
    jax.jit(doubled)(three)
    assert traced == [(3,), (4,), (3,)]


def test_ahead_of_time_takes_compiler_options_and_ships(power_sums):
    x = jnp.arange(6.0).reshape(3, 2)
    lowered = power_sums.lower(x, 2)
    # This option exists on every platform and changes no result.
    compiled = lowered.compile(compiler_options={"xla_embed_ir_in_executable": True})
    shipped = jax.export.deserialize(jax.export.export(power_sums)(x, 2).serialize())
    assert jnp.array_equal(compiled(x), shipped.call(x))


def test_cost_analysis_counts_a_loop_once():
    def flops(steps):
        loop = jax.jit(lambda x: lax.scan(lambda x, _: (x * 1.5 + 1, None), x, length=steps)[0])
        cost = loop.lower(jnp.ones(64)).compile().cost_analysis()
        return (cost or {}).get("flops", float("nan"))

    assert abs(flops(20) - flops(40)) < 64


def doubled(tree):
    return jax.tree.map(lambda leaf: leaf * 2, tree)


X = np.ones(3, np.float32)
SAME, ONCE = 0, 1


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        pytest.param((X + 1, X), SAME, id="other values"),
        pytest.param([X, X], ONCE, id="a list"),
        pytest.param({"a": X, "b": X}, ONCE, id="a dictionary"),
        pytest.param((X, None), ONCE, id="None in place of an array"),
        pytest.param((X, X[:2]), ONCE, id="shape"),
        pytest.param((X, X.astype(np.int32)), ONCE, id="dtype"),
        pytest.param((X, 1.0), ONCE, id="a Python number"),
    ],
)
def test_types_and_structure_are_in_the_key_of_jit(argument, expected):
    function = jax.jit(lambda tree: doubled(tree))
    function((X, X))
    assert compilations(function, argument) == expected


def test_weak_types_sharding_and_settings_are_in_the_key_of_jit():
    product = jax.jit(lambda x: x @ x)
    x, weak = jnp.ones((4, 4)), jnp.full((4, 4), 1.0)
    placed = jax.device_put(x, SingleDeviceSharding(jax.devices()[0]))
    product(x)
    assert compilations(product, x) == 0
    assert compilations(product, weak) == 1
    assert compilations(product, placed) == 1
    with jax.default_matmul_precision("highest"):
        assert compilations(product, x) == 1
    jax.config.update("jax_enable_x64", True)
    try:
        assert compilations(product, x) == 1
    finally:
        jax.config.update("jax_enable_x64", False)
    assert compilations(product, x) == 0


def test_scan_outside_jit_compiles_again_for_a_new_body_only():
    def add(total, x):
        return total + x, None

    def total(x):
        return lax.scan(add, jnp.zeros(()), x)[0]

    def total_by_own_body(x):
        return lax.scan(lambda total, x: add(total, x), jnp.zeros(()), x)[0]

    x = jnp.ones(7)
    total(x)
    total_by_own_body(x)
    assert compilations(total, x) == 0
    assert compilations(total_by_own_body, x) == 1
    jitted = jax.jit(total_by_own_body)
    jitted(x)
    assert compilations(jitted, x) == 0


def test_called_functions_are_traced_into_the_same_recording():
    x = jnp.ones(3)
    assert primitives(lambda x: jnp.exp(x) * jnp.sqrt(x.mean()), x) == [
        *("exp", "reduce_sum", "div", "sqrt", "mul")
    ]
    with pytest.raises(TypeError):  # lax is stricter than jax.numpy
        lax.add(x, jnp.arange(3))


def test_select_takes_the_first_and_piecewise_the_last_test_that_is_true():
    x = np.array([-1.0, 0.5, 3.0], np.float32)
    tests = [x < 0, x < 1]
    assert jnp.select(tests, [0 * x, x], 2 * x).tolist() == [0.0, 0.5, 6.0]
    branches = [lambda x: 0 * x, lambda x: x, lambda x: 2 * x]
    assert jnp.piecewise(x, tests, branches).tolist() == [-1.0, 0.5, 6.0]
    for where, branching in ((x, False), (x[0], True)):
        jaxpr = str(jax.make_jaxpr(lambda x: jnp.piecewise(x, [x < 0, x < 1], branches))(where))
        assert ("cond[" in jaxpr) == branching


def test_vmap_makes_select_of_cond_unless_all_rows_share_the_test():
    def root(test, x):
        return lax.cond(test, jnp.sqrt, jnp.zeros_like, x)

    tests, x = jnp.array([True, False]), jnp.ones(2)
    mapped = str(jax.make_jaxpr(jax.vmap(root))(tests, x))
    shared = str(jax.make_jaxpr(jax.vmap(root, in_axes=(None, 0)))(True, x))
    assert "cond[" not in mapped and "select_n" in mapped
    assert "cond[" in shared


def test_one_static_mark_marks_position_and_name():
    function = jax.jit(lambda x, power: x**power if power else x, static_argnums=1)
    assert function(X, power=2).tolist() == function(X, 2).tolist()


def test_float32_unless_told_otherwise():
    assert jnp.asarray(np.ones(3)).dtype == jnp.ones(3).dtype == jnp.float32
    jax.config.update("jax_enable_x64", True)
    try:
        assert jnp.ones(3).dtype == jnp.float64
    finally:
        jax.config.update("jax_enable_x64", False)


def test_grad_goes_through_scan_and_fori_loop_but_not_while_loop():
    def by_while(x):
        return lax.while_loop(lambda x: x < 9, lambda x: 2 * x, x)

    def by_fori(x):
        return lax.fori_loop(0, 3, lambda _, x: 2 * x, x)

    assert jax.grad(by_fori)(1.0) == 8
    with pytest.raises(ValueError, match="while_loop"):
        jax.grad(by_while)(1.0)


@pytest.mark.slow
def test_gradients_are_finite_only_where_the_bad_input_stays_out():
    def slope(function):
        return jax.grad(function)(0.0)

    assert jnp.isnan(slope(lambda y: jnp.where(y == 0, 0.0, jnp.sqrt(y))))
    assert jnp.isnan(slope(lambda y: jnp.sqrt(y) * (y > 0)))
    assert slope(lambda y: jnp.where(y == 0, 0.0, jnp.sqrt(jnp.where(y == 0, 1.0, y)))) == 0
    xlogy = jax.scipy.special.xlogy
    assert jnp.isfinite(jax.grad(xlogy, argnums=1)(0.0, 2.0))
    assert not jnp.isfinite(slope(lambda y: xlogy(y, y)))


def test_refs_are_followed_by_jit():
    ref = jax.new_ref(jnp.zeros(3))

    @jax.jit
    def write(ref, value):
        ref[1] = value

    write(ref, 5.0)
    write(ref, 7.0)
    assert ref[...].tolist() == [0.0, 7.0, 0.0]


def test_a_size_may_be_a_field_unless_it_is_used_as_a_shape():
    assert jax.jit(lambda table: table["total"] / table["n"])({"total": X, "n": 3}).shape == (3,)
    with pytest.raises(TypeError, match="Shapes must be 1D sequences of concrete values"):
        jax.jit(lambda table: jnp.eye(table["n"]))({"n": 3})


def test_what_is_read_from_outside_is_read_once_for_each_trace():
    settings = {"scale": 1.0}
    scaled = jax.jit(lambda x: settings["scale"] * x)
    scaled(X)
    settings["scale"] = 10.0
    assert scaled(X).tolist() == [1.0, 1.0, 1.0]
    assert scaled(X[:2]).tolist() == [10.0, 10.0]


def test_compiler_removes_what_no_result_depends_on():
    def drops(x):
        jnp.linalg.inv(x)
        return 2 * x

    assert "getrf" in compiled_text(jnp.linalg.inv, jnp.eye(8))
    assert "getrf" not in compiled_text(drops, jnp.eye(8))


@pytest.mark.slow
def test_determinant_overflows_where_its_logarithm_does_not():
    Omega = 20.0 * jnp.eye(114)
    assert jnp.isinf(jnp.linalg.det(Omega))
    assert jnp.linalg.slogdet(Omega)[1] == pytest.approx(341.5, abs=0.1)


def test_jit_fuses_elementwise_operations():
    def growth(x):
        for _ in range(16):
            x = x + 0.1 * x * (1 - x)
        return x

    x = jnp.ones(1000)
    text = compiled_text(growth, x)
    assert len(primitives(growth, x)) == 64
    entry = text[text.index("\nENTRY") :]
    assert len(re.findall(r"f32\[1000\]", entry)) < 8  # one fusion, not 64 arrays


# --- capstone -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def capstone():
    """The names of the lesson's class and solution, and the arguments of its fits."""
    text = (Path(__file__).parents[1] / "20_capstone.py").read_text(encoding="utf-8")
    names = {"jax": jax, "jnp": jnp, "np": np, "lax": lax, "partial": partial}
    exec(text[text.index("class Poisson") : text.index("# %%", text.index("class Poisson"))], names)
    exec(text.split("### BEGIN SOLUTION\n")[1].split("### END SOLUTION")[0], names)
    oaks = load_oaks("tree")
    mask = np.random.default_rng(1).uniform(size=oaks.Y.shape) < 0.9
    counts = np.where(mask, oaks.Y, np.nan).astype(np.float32)
    return names, (counts, oaks.O, oaks.X, mask)


def test_rows_chosen_by_a_mask_stop_the_trace(capstone):
    names, data = capstone
    with pytest.raises(jax.errors.NonConcreteBooleanIndexError, match=r"got bool\[116\]"):
        jax.jit(names["PoissonRegression"]().fit)(*data)


def test_a_model_that_keeps_its_history_stops_its_second_fit_at_once(capstone):
    names, data = capstone
    model = names["PoissonRegression"]().fit(*data)
    first = len(model.history)
    assert 10 < first < 500
    model.fit(*data)
    assert len(model.history) - first == 1


def test_a_traced_tolerance_compiles_nothing_and_a_static_limit_does(capstone):
    names, data = capstone
    counted = [
        compilations(names["fit"], *data, jax.random.key(seed), ridge, tolerance, limit)
        for seed, ridge, tolerance, limit in (
            (0, 1.0, 0.1, 100),
            (1, 2.0, 0.01, 100),
            (2, 3.0, 0.001, 100),
            (0, 1.0, 0.1, 500),
            (1, 2.0, 0.01, 500),
        )
    ]
    assert [bool(n) for n in counted] == [True, False, False, True, False]


def test_one_program_is_many_times_as_fast_as_the_class(capstone):
    """In CPU time, which a busy machine does not change: 95 to 118 times on two cores."""
    names, data = capstone
    arguments = *data, jax.random.key(0), 1.0, 0.01, 500
    jax.block_until_ready(names["fit"](*arguments))
    seconds = []
    for _ in range(15):
        began = time.process_time()
        iterations = int(names["fit"](*arguments)[2])
        seconds.append((time.process_time() - began) / iterations)
    began = time.process_time()
    model = names["PoissonRegression"]().fit(*data)
    class_seconds = (time.process_time() - began) / len(model.history)
    assert class_seconds > 30 * sorted(seconds)[7]


def test_what_is_nan_stays_nan_times_zero():
    weights, counts = jnp.zeros(3), jnp.array([1.0, jnp.nan, 3.0])
    assert jnp.isnan(jax.jit(lambda w, y: jnp.sum(w * y))(weights, counts))
    assert jnp.sum(jnp.where(weights > 0, counts, 0.0)) == 0
