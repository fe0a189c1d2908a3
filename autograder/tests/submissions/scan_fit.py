"""Repairs of the lesson scan_fit, right and wrong, its starters and empty cells."""

# %% right_fori_loop
# right: a fori_loop that fills the trace; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(i, carry):
        carry, trace = carry
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), trace.at[i].set(-value)

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    carry, trace = jax.lax.fori_loop(0, n_iterations, body, (carry, jnp.zeros(n_iterations)))
    params, _, _, moved = carry
    return params, moved, trace

# %% right_jitted_step_inside
# right: a jitted step in a dictionary carry, a plain function around; exercise: scan_fit
@jax.jit
def step(carry, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(carry["params"], carry["Omega"], Y, O, X)
    updates, state = optimizer.update(gradient, carry["state"])
    params = optax.apply_updates(carry["params"], updates)
    moved = largest(updates)
    return {"params": params, "Omega": best_Omega(params), "state": state, "moved": moved}, -value


@jax.jit(static_argnums=3)
def run(Y, O, X, length):
    params, Omega = start(Y, O, X)
    state = optimizer.init(params)
    carry = {"params": params, "Omega": Omega, "state": state, "moved": 0.0}
    carry, trace = jax.lax.scan(lambda carry, _: step(carry, Y, O, X), carry, length=length)
    return carry["params"], carry["moved"], trace


def fit(Y, O, X, n_iterations):
    return run(Y, O, X, n_iterations)

# %% right_kept_moves
# right: keeps all moves, returns the last; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state), (moved, -value)

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params)
    (params, _, _), (moves, trace) = jax.lax.scan(body, carry, length=n_iterations)
    return params, moves[-1], trace

# %% right_named_tuple
# right: NamedTuples for the carry and the results; exercise: scan_fit
from typing import Any, NamedTuple


class Carry(NamedTuple):
    params: Any
    Omega: jax.Array
    state: optax.OptState
    moved: jax.Array


class Fit(NamedTuple):
    params: Any
    moved: jax.Array
    trace: jax.Array


@jax.jit(static_argnames=("n_iterations",))
def fit(Y: jax.Array, O: jax.Array, X: jax.Array, n_iterations: int) -> Fit:
    value_and_grad = jax.value_and_grad(loss)

    def body(c: Carry, _: None) -> tuple[Carry, jax.Array]:
        value, gradient = value_and_grad(c.params, c.Omega, Y, O, X)
        updates, state = optimizer.update(gradient, c.state, c.params)
        params = optax.apply_updates(c.params, updates)
        return Carry(params, best_Omega(params), state, largest(updates)), -value

    params, Omega = start(Y, O, X)
    first = Carry(params, Omega, optimizer.init(params), jnp.float32(0))
    last, trace = jax.lax.scan(body, first, None, n_iterations)
    return Fit(last.params, last.moved, trace)

# %% right_new_ref
# right: the trace in a jax.new_ref; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    trace = jax.new_ref(jnp.zeros(n_iterations))

    def body(i, carry):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        trace[i] = -value
        return params, best_Omega(params), state, largest(updates)

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    params, _, _, moved = jax.lax.fori_loop(0, n_iterations, body, carry)
    return params, moved, trace[...]

# %% right_over_arange
# right: scan over the numbers of the iterations; jit applied afterwards; exercise: scan_fit
def _fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, jnp.arange(n_iterations))
    return params, moved, trace


fit = jax.jit(_fit, static_argnums=3)

# %% right_unroll_six
# right: the scan unrolls six iterations; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations, unroll=6)
    return params, moved, trace

# %% right_unroll_ten
# right: the scan unrolls ten iterations; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations, unroll=10)
    return params, moved, trace

# %% right_unroll_twenty
# right: the scan unrolls twenty iterations; exercise: scan_fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations, unroll=20)
    return params, moved, trace

# %% wrong_a_dictionary
# wrong: a dictionary in place of three things; exercise: scan_fit; must fail: outputs; says: result['moved']
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return {"params": params, "moved": moved, "trace": trace}

# %% wrong_chunks_in_python
# wrong: a scan for each chunk of ten iterations; exercise: scan_fit; must fail: compilations; says: grows
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    (params, Omega), traces = start(Y, O, X), []
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    for first in range(0, n_iterations, 10):
        length = min(10, n_iterations - first)
        carry, trace = jax.lax.scan(body, carry, length=length)
        traces.append(trace)
    return carry[0], carry[3], jnp.concatenate(traces)

# %% wrong_chunks_of_fifty
# wrong: a scan for each chunk of fifty iterations; exercise: scan_fit; must fail: compilations; says: grows
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    (params, Omega), traces = start(Y, O, X), []
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    for first in range(0, n_iterations, 50):
        length = min(50, n_iterations - first)
        carry, trace = jax.lax.scan(body, carry, length=length)
        traces.append(trace)
    return carry[0], carry[3], jnp.concatenate(traces)

# %% wrong_closes_over_oaks
# wrong: the loss of the oaks, whatever the data; exercise: scan_fit; must fail: outputs; says: Pass all data as arguments
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, counts, offsets, covariates)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_eager_scan
# wrong: right types, but no jit; exercise: scan_fit; must fail: compilations; says: Put it inside a function decorated with @jax.jit
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_history
# wrong: a list beside the trace; exercise: scan_fit; must fail: purity; says: history
history = []


@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        history.append(value)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_integer_result
# wrong: the float is made an integer to fit the carry; exercise: scan_fit; must fail: outputs; says: result[1] is int32
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates).astype(jnp.int32)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.int32(0)
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_integer_start
# wrong: jitted, but the carry still starts as an integer; exercise: scan_fit; must fail: outputs; says: Start with strong dtypes
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.int32(0)
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_not_a_pair
# wrong: the body returns the carry alone; exercise: scan_fit; must fail: outputs; says: must return a pair
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        _, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return params, best_Omega(params), state, moved

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_omega_not_carried
# wrong: Omega stays what it was at the start; exercise: scan_fit; must fail: outputs; says: expected
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, Omega, state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_one_jitted_chunk
# wrong: one jitted chunk of ten iterations, called again and again; exercise: scan_fit; must fail: compilations; says: loops, and compiling takes ever longer
@jax.jit(static_argnames="length")
def chunk(carry, Y, O, X, length):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    if carry is None:
        params, Omega = start(Y, O, X)
        carry = params, Omega, optimizer.init(params), jnp.zeros(())
    return jax.lax.scan(body, carry, length=length)


def fit(Y, O, X, n_iterations):
    carry, traces = None, []
    for first in range(0, n_iterations, 10):
        carry, trace = chunk(carry, Y, O, X, min(10, n_iterations - first))
        traces.append(trace)
    trace = traces[0] if len(traces) == 1 else jnp.concatenate(traces)
    return carry[0], carry[3], trace

# %% wrong_program_by_number
# wrong: a jitted function for each number of iterations, in an lru_cache, and not one with a static argument; exercise: scan_fit; must fail: compilations; says: the task asks for one
from functools import lru_cache, partial


def run(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), elbos = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, elbos


@lru_cache
def program(n_iterations):
    return jax.jit(partial(run, n_iterations=n_iterations))


def fit(Y, O, X, n_iterations):
    return program(n_iterations)(Y, O, X)

# %% wrong_python_loop
# wrong: a Python loop of jitted steps; exercise: scan_fit; must fail: compilations; says: Use jax.lax.scan
@jax.jit
def step(params, Omega, state, Y, O, X):
    value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
    updates, state = optimizer.update(gradient, state)
    params = optax.apply_updates(params, updates)
    return params, best_Omega(params), state, largest(updates), -value


@jax.jit(static_argnums=3)
def begin(Y, O, X, n_iterations):
    params, Omega = start(Y, O, X)
    return params, Omega, optimizer.init(params)


stack = jax.jit(lambda *values: jnp.stack(values))


def fit(Y, O, X, n_iterations):
    params, Omega, state = begin(Y, O, X, n_iterations)
    trace = []
    for _ in range(n_iterations):
        params, Omega, state, moved, value = step(params, Omega, state, Y, O, X)
        trace.append(value)
    return params, moved, stack(*trace)

# %% wrong_range_as_rows
# wrong: a range for the rows; exercise: scan_fit; must fail: outputs; says: A number and a `range` have none
from functools import partial


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, _ = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return (params, best_Omega(params), state, largest(updates)), -value

    (params, Omega), moved = start(Y, O, X), jnp.zeros(())
    carry = params, Omega, optimizer.init(params), moved
    (params, _, _, moved), elbos = jax.lax.scan(body, carry, range(n_iterations))
    return params, moved, elbos

# %% wrong_room_for_the_shown
# wrong: room for 200 iterations, more than the notebook times; exercise: scan_fit; must fail: outputs; says: fit
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(i, carry):
        params, Omega, state, _, trace = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        return params, best_Omega(params), state, largest(updates), trace.at[i].set(-value)

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(()), jnp.zeros(200)
    params, _, _, moved, trace = jax.lax.fori_loop(0, n_iterations, body, carry)
    return params, moved, trace[:n_iterations]

# %% wrong_state_not_carried
# wrong: the optimizer starts anew at each step; exercise: scan_fit; must fail: outputs; says: result[0]['B'][
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, optimizer.init(params))
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_traced_length
# wrong: the number of iterations is traced; exercise: scan_fit; must fail: outputs; says: make the argument static
@jax.jit
def fit(Y, O, X, n_iterations):
    def body(carry, _):
        params, Omega, state, moved = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        moved = largest(updates)
        return (params, best_Omega(params), state, moved), -value

    params, Omega = start(Y, O, X)
    carry = params, Omega, optimizer.init(params), jnp.zeros(())
    (params, _, _, moved), trace = jax.lax.scan(body, carry, length=n_iterations)
    return params, moved, trace

# %% wrong_unrolled
# wrong: a Python loop under jit; exercise: scan_fit; must fail: compilations; says: Write the loop as `lax.scan`
@jax.jit(static_argnames="n_iterations")
def fit(Y, O, X, n_iterations):
    params, Omega = start(Y, O, X)
    state, moved, trace = optimizer.init(params), 0.0, []
    for _ in range(n_iterations):
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        params = optax.apply_updates(params, updates)
        Omega, moved = best_Omega(params), largest(updates)
        trace.append(-value)
    return params, moved, jnp.stack(trace)

# %% starter
# starter: as shipped; exercise: scan_fit; must fail: outputs; says: Start with strong dtypes

# %% empty
# empty: nothing in the cell; exercise: scan_fit; must fail: outputs; says: There is no function
