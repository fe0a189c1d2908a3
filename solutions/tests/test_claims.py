"""What the lessons say of JAX, run: on every jax that the kit supports."""

import os
import platform
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import SingleDeviceSharding

from plnkit import compiler_guard, load_oaks
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


# recompile_hunt


def test_an_argument_left_out_by_position_and_by_name_is_traced_three_times():
    traced = []

    @jax.jit
    def f(x, n=3):
        traced.append(n)
        return x * n

    x = jnp.ones(3)
    for _ in range(2):
        _ = f(x), f(x, 3), f(x, n=3)
    assert len(traced) == 3


def test_the_samples_of_the_oaks_have_38_lengths():
    lengths = (load_oaks().Y > 0).sum(axis=1)
    assert len(lengths) == 116
    assert len(set(lengths)) == 38
    assert max(lengths) <= 128


def test_a_mask_by_position_leaves_the_padding_out():
    counts = jnp.asarray([3.0, 0.0, 5.0])
    mask = jnp.arange(8) < 3
    for function in (jnp.sum, jnp.mean, jnp.std):
        padded = jax.jit(partial(function, where=mask))(jnp.pad(counts, (0, 5)))
        assert jnp.allclose(padded, function(counts))


# timing

TABLE = jnp.arange(600.0).reshape(20, 30)


def lowered_text(function, *arguments) -> str:
    return jax.jit(function).lower(*arguments).as_text()


def test_an_unrolled_loop_makes_a_longer_program_and_a_scan_does_not():
    def unrolled(x, n):
        for _ in range(n):
            x = jnp.sin(x)
        return x

    def scanned(x, n):
        return lax.scan(lambda x, _: (jnp.sin(x), None), x, length=n)[0]

    few, many = (len(lowered_text(partial(unrolled, n=n), TABLE)) for n in (10, 40))
    assert 2 < many / few < 5
    few, many = (len(lowered_text(partial(scanned, n=n), TABLE)) for n in (10, 40))
    assert abs(few - many) < 10


def test_closed_over_data_are_in_the_text_with_two_characters_a_byte():
    closed_over = len(lowered_text(lambda: jnp.sum(TABLE)))
    as_argument = len(lowered_text(lambda x: jnp.sum(x), TABLE))
    assert 0 <= closed_over - as_argument - 2 * TABLE.nbytes < 1000


def test_a_new_partial_compiles_again_and_the_same_function_does_not():
    def scaled(x, rate):
        return rate * x

    new = [compilations(jax.jit(partial(scaled, rate=2.0)), TABLE) for _ in range(3)]
    assert new == [1, 1, 1]
    once = jax.jit(scaled)
    assert [compilations(once, TABLE, rate) for rate in (2.0, 3.0, 4.0)] == [1, 0, 0]


def test_a_compiled_object_does_not_take_its_static_values_again(power_sums):
    squares = power_sums.lower(TABLE, 2).compile()
    with pytest.raises(TypeError, match="input pytree"):
        squares(TABLE, 2)


PROCESS = """
import jax, jax.numpy as jnp
seen = []
jax.monitoring.register_event_listener(lambda event, **_: seen.append(event))
def total(x):
    seen.append("traced")
    return jnp.sum(jnp.linalg.inv(jnp.eye(50) + x))
jax.block_until_ready(jax.jit(total)(2.0))
print("traced" in seen, "/jax/compilation_cache/cache_hits" in seen)
"""


@pytest.mark.slow
def test_the_persistent_cache_spares_the_next_process_the_compiling_alone(tmp_path):
    settings = {
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
        "JAX_ENABLE_COMPILATION_CACHE": "true",
        "JAX_PLATFORMS": "cpu",
    }
    command = [sys.executable, "-c", PROCESS]
    printed = [
        subprocess.run(
            command, env=os.environ | settings, capture_output=True, text=True, check=True
        ).stdout.split()
        for _ in range(2)
    ]
    assert printed == [["True", "False"], ["True", "True"]]


# purity_hunt


def test_numpys_generator_is_asked_once_and_a_key_each_time():
    rng, keys = np.random.default_rng(), jax.random.split(jax.random.key(8), 20)
    frozen = jax.jit(lambda key: rng.normal())
    drawn = jax.jit(lambda key: jax.random.normal(key))
    assert len({float(frozen(key)) for key in keys}) == 1
    assert len({float(drawn(key)) for key in keys}) == 20
    assert jax.random.key_data(keys[0]).shape == (2,)


def test_list_outside_is_right_at_first_and_leaks_into_another_trace():
    history = []

    @jax.jit
    def collect(x):
        for _ in range(3):
            history.append(x.sum())
        return jnp.stack(history)

    assert collect(X).tolist() == collect(X).tolist() == [3.0, 3.0, 3.0]
    with pytest.raises(jax.errors.UnexpectedTracerError):
        collect(X[:2])


def test_donated_step_works_in_the_memory_of_the_one_before():
    relax = jax.jit(lambda M, target: M + 0.5 * (target - M), donate_argnums=0)
    caller, target = jnp.zeros(1000), jnp.ones(1000)
    M = caller.copy()
    addresses = {M.unsafe_buffer_pointer()}
    for _ in range(3):
        M = relax(M, target)
        addresses.add(M.unsafe_buffer_pointer())
    assert len(addresses) == 1
    assert not caller.is_deleted()


# vmap


def test_vmap_traces_one_row_once_and_its_program_does_not_grow():
    shapes = []

    def largest(y):
        shapes.append(y.shape)
        return y.max()

    for n in (3, 30):
        assert jax.vmap(largest)(jnp.ones((n, 4))).shape == (n,)
    assert shapes == [(4,), (4,)]
    few, many = (primitives(jax.vmap(largest), jnp.ones((n, 4))) for n in (3, 30))
    assert few == many


def test_vmap_needs_no_jit_to_refuse_a_python_branch():
    with pytest.raises(jax.errors.TracerBoolConversionError):
        jax.vmap(lambda x: x if x > 0 else -x)(X)


def test_numpys_vectorize_fails_under_jit():
    by_row = np.vectorize(lambda y: y.sum(), signature="(p)->()")
    assert by_row(np.ones((2, 3))).tolist() == [3.0, 3.0]
    with pytest.raises(jax.errors.TracerArrayConversionError):
        jax.jit(by_row)(jnp.ones((2, 3)))


def test_vmap_maps_axis_0_of_every_argument_even_where_it_is_wrong():
    table = jnp.arange(9.0).reshape(3, 3)
    average = table.mean(axis=0)
    difference = jax.vmap(lambda y, other: jnp.abs(y - other).sum())
    assert difference(table, average).shape == (3,)  # of each row to one number of the average
    with pytest.raises(ValueError, match="inconsistent sizes for array axes to be mapped"):
        difference(table[:2], average)
    right = jax.vmap(lambda y, other: jnp.abs(y - other).sum(), in_axes=(0, None))
    assert right(table, average).tolist() != difference(table, average).tolist()


def test_lax_map_keeps_cond():
    def root_or_zero(x):
        return lax.cond(x > 0, jnp.sqrt, jnp.zeros_like, x)

    assert "cond" in str(jax.make_jaxpr(lambda xs: lax.map(root_or_zero, xs))(X))
    assert "cond" not in primitives(jax.vmap(root_or_zero), X)


# static_reshape


def test_few_cells_hold_half_of_all_counts():
    counts = load_oaks().Y
    shares = np.sort((counts / counts.sum()).reshape(-1))[::-1]
    assert (int((np.cumsum(shares) < 0.5).sum()) + 1, shares.size) == (392, 13224)


FEW = jnp.array([3.0, 0.0, 7.0, 1.0])


def test_a_mask_that_numpy_makes_while_tracing_is_known():
    assert jax.jit(lambda x: x[np.arange(4) > 1])(FEW).tolist() == [7, 1]
    assert jax.jit(lambda x: x[jnp.argsort(x)])(FEW).tolist() == [0, 1, 3, 7]
    for mask in (lambda x: x > 2, lambda _: jnp.arange(4) > 1):
        with pytest.raises(jax.errors.NonConcreteBooleanIndexError):
            jax.jit(lambda x, mask=mask: x[mask(x)])(FEW)


@pytest.mark.parametrize(
    "function",
    [jnp.nonzero, jnp.unique, lambda x: jnp.repeat(x, x.astype(int)), lambda x: jnp.where(x > 0)],
)
def test_a_length_that_the_values_decide_is_refused(function):
    function(FEW)
    with pytest.raises(jax.errors.ConcretizationTypeError):
        jax.jit(function)(FEW)


def test_what_nothing_sums_up_to():
    nothing = jnp.zeros(4, bool)
    assert FEW.sum(where=nothing) == 0
    assert jnp.isnan(FEW.mean(where=nothing))
    assert FEW.min(where=nothing, initial=jnp.inf) == jnp.inf


def test_nonzero_fills_with_an_index_and_drops_silently():
    assert jnp.nonzero(FEW, size=5)[0].tolist() == [0, 2, 3, 0, 0]
    assert jnp.nonzero(FEW, size=2)[0].tolist() == [0, 2]


def test_selecting_outside_compiles_for_each_number_of_rows():
    oaks = load_oaks()
    tree = oaks.leaves["tree"]
    with compile_counts() as counted:
        mean = jax.jit(lambda rows: rows.mean(axis=0))
        for kind in np.unique(tree):
            mean(oaks.Y[tree == kind])
    assert counted["compilations"] == len({(tree == kind).sum() for kind in np.unique(tree)}) == 2


# tracing


@pytest.mark.slow
def test_jit_runs_small_operations_more_than_ten_times_as_fast():
    def grow(x):
        for _ in range(30):
            x = x + 0.1 * x * (1 - x)
        return x

    def least_seconds(function):
        jax.block_until_ready(function(x))
        seconds = []
        for _ in range(15):
            start = time.perf_counter()
            jax.block_until_ready(function(x))
            seconds.append(time.perf_counter() - start)
        return min(seconds)

    x, jitted = jnp.linspace(0, 1, 100), jax.jit(grow)
    assert least_seconds(grow) > 10 * least_seconds(jitted)
    assert jnp.allclose(grow(x), jitted(x), rtol=1e-5)


# static_branch


def test_a_static_value_passed_in_three_ways_is_traced_three_times():
    traced = []

    @partial(jax.jit, static_argnames="n")
    def scaled(x, n=3):
        traced.append(n)
        return n * x

    _ = scaled(X), scaled(X, 3), scaled(X, n=3)
    assert traced == [3, 3, 3]
    scaled(X, 3.0)  # static values are found again by type and value
    scaled(X, 3)
    assert traced[3:] == [3.0]


# traced_branch


def test_switch_traces_all_branches_at_the_first_call_only():
    traced = []

    def branch(factor):
        def scaled(x):
            traced.append(factor)
            return factor * x

        return scaled

    scale = jax.jit(lambda i, x: lax.switch(i, [branch(0.0), branch(1.0), branch(2.0)], x))
    results = [float(scale(jnp.int32(i), jnp.float32(7))) for i in (0, 2, 0, 0)]
    assert (traced, results) == ([0.0, 1.0, 2.0], [0.0, 14.0, 0.0, 0.0])


def test_extra_spread_at_five_sites_is_undefined_for_twenty_species():
    counts = load_oaks().Y[:5]
    assert ((counts.var(axis=0) <= counts.mean(axis=0)).sum(), counts.shape[1]) == (20, 114)


# safe_where


def test_each_zero_count_of_the_oaks_is_a_nan_of_the_gradient():
    def y_log_y(y):
        return jnp.where(y == 0, 0.0, y * jnp.log(y))

    counts = jnp.asarray(load_oaks().Y)
    slopes = jax.grad(lambda y: y_log_y(y).sum())(counts)
    assert jnp.isfinite(y_log_y(counts)).all()
    assert int(jnp.isnan(slopes).sum()) == int((counts == 0).sum()) == 4554


STIRLING = """
import sys
import jax, jax.numpy as jnp, numpy as np

def total(y):
    return jnp.sum(0.5 * jnp.log(2 * jnp.pi * y) + y * jnp.log(y) - y)

y = np.frombuffer(sys.stdin.buffer.read(), np.float32)
print(f"{total(y):.0f} {jax.jit(total)(y):.0f}")
"""


@pytest.mark.slow
@pytest.mark.skipif(
    (metadata.version("jaxlib"), platform.system(), platform.machine())
    != ("0.10.2", "Linux", "x86_64"),
    reason="the lesson says what jaxlib 0.10.2 does",
)
def test_without_the_flag_jaxlib_adds_up_stirlings_formula_wrongly():
    def totals(flags):
        environ = {**os.environ, "JAX_PLATFORMS": "cpu", "XLA_FLAGS": flags}
        counts = np.maximum(load_oaks().Y, 1).astype(np.float32).tobytes()
        command = [sys.executable, "-c", STIRLING]
        run = subprocess.run(command, input=counts, env=environ, capture_output=True, check=True)
        return [int(number) for number in run.stdout.split()]

    assert totals("") == [1285968, 789622]
    assert totals(compiler_guard.FLAG) == [1285968, pytest.approx(1285968, abs=2)]


# Lesson `modules`


class Scaled:
    """An object with an array, a function and a number, which JAX does not know."""

    def __init__(self, weights, activation=jnp.exp, power=1):
        self.weights, self.activation, self.power = weights, activation, power

    def __call__(self, z):
        return self.activation(z @ self.weights) ** self.power


def test_jit_takes_no_object_of_an_unknown_class():
    with pytest.raises(TypeError, match="Error interpreting argument"):
        jax.jit(lambda model, z: model(z))(Scaled(jnp.ones((2, 3))), jnp.ones(2))


def test_a_static_module_is_compared_by_identity_and_its_arrays_are_constants():
    called = jax.jit(lambda model, z: model(z), static_argnums=0)
    z, model = jnp.ones(2), Scaled(jnp.ones((2, 3)))
    other, weights = Scaled(model.weights), jnp.zeros((2, 3))
    before = called(model, z)
    assert compilations(called, other, z) == 1
    model.weights = weights
    assert jnp.array_equal(called(model, z), before)  # nobody notices


def test_settings_compile_again_and_arrays_do_not():
    @partial(jax.jit, static_argnums=0)
    def called(power, weights, z):
        return Scaled(weights, power=power)(z)

    z, weights = jnp.ones(2), jnp.ones((2, 3))
    assert compilations(called, 1, weights, z) == 1
    assert compilations(called, 1, weights + 1, z) == 0
    assert [compilations(called, power, weights, z) for power in (2, 3)] == [1, 1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_nnx_jit_within_jit_fails_and_empties_a_global_model():
    nnx = pytest.importorskip("flax.nnx", reason="flax is not installed")

    class Linear(nnx.Module):
        def __init__(self):
            self.weights = nnx.Param(jnp.ones(2))

        def __call__(self, z):
            return z * self.weights[...]

    model = Linear()
    called = nnx.jit(lambda model, z: model(z))
    assert called(model, jnp.ones(2)).shape == (2,)
    with pytest.raises(Exception, match="Cannot mutate Param from a different trace level"):
        jax.jit(lambda z: called(model, z))(jnp.ones(2))
    assert not hasattr(model, "weights")


# Lesson `where_time_goes`


def test_a_transfer_that_nobody_asked_for_can_be_refused():
    doubled = jax.jit(lambda x: 2 * x)
    doubled(X)
    with jax.transfer_guard("disallow"):
        with pytest.raises(Exception, match="Disallowed host-to-device transfer"):
            doubled(X)
        doubled(jax.device_put(X))


def test_arrays_live_as_long_as_a_list_holds_them():
    before, history = sum(array.nbytes for array in jax.live_arrays()), []
    state = jnp.zeros(1000)
    for _ in range(5):
        state = state + 1
        history.append(state)
    assert sum(array.nbytes for array in jax.live_arrays()) - before == 5 * state.nbytes


def test_the_profiler_writes_a_trace_that_python_can_read(tmp_path):
    squared = jax.jit(lambda x: x @ x)
    x = jnp.ones((50, 50))
    jax.block_until_ready(squared(x))
    with jax.profiler.trace(str(tmp_path)):
        jax.block_until_ready(squared(x))
    (file,) = tmp_path.rglob("*.xplane.pb")
    planes = jax.profiler.ProfileData.from_file(str(file)).planes
    names = {event.name for plane in planes for line in plane.lines for event in line.events}
    assert any("<lambda>" in name for name in names)


# Lesson `random_keys`


def test_a_key_from_outside_is_the_same_at_each_step_and_in_each_row():
    key = jax.random.key(8)
    draw = lambda x, _: (x, jax.random.normal(key))
    assert len(set(lax.scan(draw, 0.0, length=5)[1].tolist())) == 1
    noisy = jax.vmap(lambda key, x: x + jax.random.normal(key), in_axes=(None, 0))
    assert len(set(noisy(key, jnp.zeros(5)).tolist())) == 1
    own = jax.vmap(jax.random.normal)(jax.random.split(key, 5))
    assert len(set(own.tolist())) == 5


def test_key_reuse_can_be_an_error():
    key = jax.random.key(8)

    def walk(key):
        return lax.scan(lambda x, _: (x + jax.random.normal(key), None), 0.0, length=5)[0]

    with jax.debug_key_reuse(True):
        with pytest.raises(jax.errors.KeyReuseError, match="repeatedly"):
            jax.jit(walk)(key)
        keys = jax.random.split(jax.random.key(9), 5)
        lax.scan(lambda x, key: (x + jax.random.normal(key), None), 0.0, keys)


def test_what_is_folded_in_depends_on_the_number_alone():
    def numbers(steps):
        draw = lambda x, i: (x, jax.random.normal(jax.random.fold_in(jax.random.key(8), i)))
        return lax.scan(draw, 0.0, jnp.arange(steps))[1]

    assert jnp.array_equal(numbers(10), numbers(20)[:10])


# Lesson `progress_from_inside`


def test_a_debug_callback_may_be_moved_out_of_a_loop():
    calls = []

    def five_sines(x):
        def step(x, _):
            jax.debug.callback(lambda: calls.append(1))
            return jnp.sin(x), None

        return lax.scan(step, x, length=5)[0]

    jax.jit(five_sines)(1.0)
    jax.effects_barrier()
    assert len(calls) == 5
    calls.clear()
    jax.jit(jax.grad(five_sines))(1.0)
    jax.effects_barrier()
    assert len(calls) < 5


def test_an_io_callback_has_no_derivative_and_if_ordered_no_vmap():
    from jax.experimental import io_callback

    def reported(x):
        io_callback(lambda x: None, None, x, ordered=True)
        return x**2

    with pytest.raises(ValueError, match="do not support JVP"):
        jax.grad(reported)(1.0)
    with pytest.raises(ValueError, match="ordered"):
        jax.vmap(reported)(jnp.ones(3))


def test_a_callback_under_cond_is_made_where_it_is_due():
    from jax.experimental import io_callback

    seen = []

    def step(x, i):
        call = lambda: io_callback(lambda i: seen.append(int(i)), None, i, ordered=True)
        lax.cond(i % 10 == 0, call, lambda: None)
        return x, None

    jax.jit(lambda x: lax.scan(step, x, jnp.arange(35))[0])(1.0)
    jax.effects_barrier()
    assert seen == [0, 10, 20, 30]


def test_a_format_cannot_show_a_tracer():
    with pytest.raises(TypeError, match="unsupported format string"):
        jax.jit(lambda x: print(f"{x:.3f}"))(0.5)


# Lesson `precision`


def test_bfloat16_has_eight_significant_bits_and_sums_are_made_in_float32():
    one = jnp.bfloat16(1)
    assert jnp.bfloat16(256) + one == 256
    many = jnp.ones(1000, jnp.bfloat16)
    assert lax.scan(lambda total, x: (total + x, None), jnp.bfloat16(0), many)[0] == 256
    assert many.sum() == 1000


def test_numbers_of_python_adapt_and_others_do_not():
    x = jnp.ones(3, jnp.bfloat16)
    kinds = [(x * number).dtype for number in (2.0, np.float32(2), np.float64(2), jnp.float32(2))]
    assert kinds == [jnp.bfloat16, jnp.float32, jnp.float32, jnp.float32]
    decay = jax.jit(lambda x, rate: lax.scan(lambda x, _: (x - rate * x, None), x, length=3)[0])
    assert decay(x, 0.1).dtype == jnp.bfloat16
    with pytest.raises(TypeError, match="carry input and carry output must have equal types"):
        decay(x, np.float32(0.1))


def test_float64_is_float32_until_it_is_switched_on():
    assert jnp.asarray(np.ones(3)).dtype == jnp.float32
    with jax.enable_x64(True):
        assert jnp.asarray(np.ones(3)).dtype == jnp.float64


# --- containers, static_self --------------------------------------------------------------------


ROW = jnp.ones(3)


class View(NamedTuple):
    Y: jax.Array
    scale: str


def test_a_container_leaves_no_trace_in_the_program():
    class Pair(NamedTuple):
        x: jax.Array
        y: jax.Array

    pair = Pair(ROW, 2 * ROW)
    packed = jax.jit(lambda pair: (pair.x * pair.y).sum()).lower(pair)
    plain = jax.jit(lambda x, y: (x * y).sum()).lower(*pair)
    assert len(packed.as_text().splitlines()) == len(plain.as_text().splitlines())
    assert pair._replace(y=ROW).x is pair.x


def test_a_word_is_no_leaf_that_jit_can_trace():
    with pytest.raises(TypeError, match=r"path view\.scale"):
        jax.jit(lambda view: view.Y)(View(ROW, "log"))


def test_an_array_in_a_static_field_fails_at_the_second_value():
    @jax.tree_util.register_dataclass
    @dataclass(frozen=True)
    class AllStatic:
        Y: jax.Array = field(metadata={"static": True})

    total = jax.jit(lambda view: view.Y.sum())
    assert jax.tree.leaves(AllStatic(ROW)) == []
    assert total(AllStatic(ROW)) == ROW.sum()
    with pytest.raises((TypeError, ValueError)):
        total(AllStatic(2 * ROW))


def test_a_static_object_is_part_of_the_key():
    @jax.tree_util.register_static
    @dataclass(frozen=True)
    class Settings:
        kind: str

    traced = []

    @jax.jit
    def total(x, settings):
        traced.append(settings.kind)
        return x.sum()

    for kind in ("log", "log", "root"):
        total(ROW, Settings(kind))
    assert jax.tree.leaves(Settings("log")) == []
    assert traced == ["log", "root"]


@pytest.mark.skipif(not hasattr(jax.tree, "static"), reason="came with a later release of JAX")
def test_tree_static_marks_a_static_field():
    @jax.tree_util.register_dataclass
    @dataclass(frozen=True)
    class Model:
        Y: jax.Array
        kind: str = jax.tree.static(default="log")

    assert len(jax.tree.leaves(Model(ROW))) == 1


# early_stop, jitted_step, scan_fit, debugging


@pytest.fixture
def newton_iterates():
    """Fifty Newton steps for the oaks, as lesson `early_stop` makes them."""
    oaks = load_oaks()
    counts, offsets = jnp.asarray(oaks.Y), jnp.asarray(oaks.O) - 6.0

    @jax.jit
    def newton(z):
        rate = jnp.exp(offsets + z)
        return z + (counts - rate - z) / (rate + 1)

    iterates = [jnp.log(counts + 0.5) - offsets]
    for _ in range(50):
        iterates.append(newton(iterates[-1]))
    return np.array(iterates)


def test_six_newton_steps_give_what_fifty_give(newton_iterates):
    z, last = newton_iterates, newton_iterates[-1]
    off = [np.max(np.abs(z[steps] - last) / (1 + np.abs(last))) for steps in (4, 6)]
    assert off[0] > 1e-5 > 1e-6 > off[1]


def test_no_step_of_ten_changes_less_than_float32_can_show(newton_iterates):
    changes = np.abs(np.diff(newton_iterates[:11], axis=0)).max(axis=(1, 2))
    assert min(changes) > 1e-10


def test_weak_types_compile_the_second_of_four_calls():
    def halved_four_times(x):
        halve = jax.jit(lambda x: x / 2 + jnp.ones(3))
        for _ in range(4):
            x = halve(x)
        return x

    _ = jnp.ones(3), jnp.zeros(3), jnp.full(3, 0.0)
    assert compilations(halved_four_times, jnp.zeros(3)) == 1
    assert compilations(halved_four_times, jnp.full(3, 0.0)) == 2


def test_data_of_the_notebook_are_frozen():
    Y = jnp.ones(3)

    @jax.jit
    def total(factor):
        return factor * Y.sum()

    first, Y = total(1.0), 2 * Y
    assert total(1.0) == first != Y.sum()


@pytest.mark.parametrize(("start", "traces"), [(jnp.zeros(()), 1), (0.0, 1), (0, 2)])
def test_a_weak_zero_has_the_body_traced_again(start, traces):
    traced = []

    def body(total, x):
        traced.append(total)
        return total + x, None

    jax.jit(lambda x: lax.scan(body, start, x)[0])(jnp.ones(5))
    assert len(traced) == traces


def test_a_scan_is_as_long_as_its_body():
    def in_python(x):
        total = 0.0
        for i in range(x.shape[0]):
            total = total + x[i]
        return total

    def by_scan(x):
        return lax.scan(lambda total, one: (total + one, None), jnp.zeros(()), x)[0]

    def lines(function, length):
        return len(jax.jit(function).lower(jnp.ones(length)).as_text().splitlines())

    assert lines(in_python, 116) > 10 * lines(by_scan, 116)
    assert lines(by_scan, 116) == lines(by_scan, 1_000_000)


# --- capstone -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def capstone():
    """The names of the lesson's class and solution, and the arguments of its fits."""
    text = (Path(__file__).parents[1] / "19_capstone.py").read_text(encoding="utf-8")
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


@pytest.mark.gate
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


def test_what_is_nan_stays_nan_times_zero():
    weights, counts = jnp.zeros(3), jnp.array([1.0, jnp.nan, 3.0])
    assert jnp.isnan(jax.jit(lambda w, y: jnp.sum(w * y))(weights, counts))
    assert jnp.sum(jnp.where(weights > 0, counts, 0.0)) == 0
