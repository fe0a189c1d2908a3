"""What the lessons say of JAX, run: on every jax that the kit supports."""

import re
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import SingleDeviceSharding

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
