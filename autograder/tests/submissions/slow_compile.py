"""Repairs of the lesson slow_compile, right and wrong, its starters and empty cells."""

# %% right_assigned
# right: jitted after its definition; exercise: slow_compile
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


fit = jax.jit(fit, static_argnums=3)

# %% right_by_columns
# right: mapped over taxa, the ELBO summed after; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def column(y, o):
        def body(carry, _):
            M, log_S, elbo = step(*carry, y, o, rate)
            return (M, log_S), elbo

        start = jnp.zeros(y.shape)
        return jax.lax.scan(body, (start, start), length=n_iterations)

    (M, log_S), elbos = jax.vmap(column, in_axes=1, out_axes=((1, 1), 1))(Y, O)
    return M, log_S, elbos.sum(axis=1)

# %% right_fori_loop
# right: fori_loop that fills an array; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(i, carry):
        M, log_S, elbos = carry
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        return M, log_S, elbos.at[i].set(elbo)

    start = jnp.zeros(Y.shape)
    carry = start, start, jnp.zeros(n_iterations)
    return jax.lax.fori_loop(0, n_iterations, body, carry)

# %% right_partial_once
# right: a partial of the step, made while tracing; exercise: slow_compile
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    move = partial(step, Y=Y, O=O, rate=rate)

    def body(carry, rate_again):
        M, log_S, elbo = move(*carry)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), None, n_iterations, unroll=2)
    return M, log_S, elbos

# %% right_plain_around
# right: a plain function around the jitted one, with the start as arguments; exercise: slow_compile
@partial(jax.jit, static_argnums=0)
def run(length, start, data, rate):
    def body(carry, _):
        *carry, elbo = step(*carry, *data, rate)
        return tuple(carry), elbo

    return jax.lax.scan(body, start, length=length)


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    start = jnp.zeros_like(Y)
    (M, log_S), elbos = run(n_iterations, (start, start), (Y, O), rate)
    return M, log_S, elbos

# %% wrong_chunks_of_ten
# wrong: a scan for each chunk of ten iterations; exercise: slow_compile; must fail: compilations; says: grows
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    carry, traces = (start, start), []
    for first in range(0, n_iterations, 10):
        carry, elbos = jax.lax.scan(body, carry, length=min(10, n_iterations - first))
        traces.append(elbos)
    return *carry, jnp.concatenate(traces)

# %% wrong_closes_over
# wrong: a scan, the data closed over; exercise: slow_compile; must fail: compilations; says: compiled
def fit(Y, O, rate, n_iterations):
    @jax.jit
    def run(start, rate):
        def body(carry, _):
            M, log_S, elbo = step(*carry, Y, O, rate)
            return (M, log_S), elbo

        return jax.lax.scan(body, (start, start), length=n_iterations)

    (M, log_S), elbos = run(jnp.zeros(Y.shape), rate)
    return M, log_S, elbos

# %% wrong_elbo_after
# wrong: the ELBO after each step; exercise: slow_compile; must fail: outputs; says: [2]
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, _ = step(*carry, Y, O, rate)
        return (M, log_S), step(M, log_S, Y, O, rate)[2]

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_history
# wrong: keeps the ELBOs in a list; exercise: slow_compile; must fail: outputs, purity; says: tracer
history = []


@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        history.append(elbo)
        return (M, log_S), None

    start = jnp.zeros(Y.shape)
    (M, log_S), _ = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, jnp.stack(history)

# %% wrong_jitted_step
# wrong: only the step is jitted; exercise: slow_compile; must fail: compilations; says: jit
jitted = jax.jit(step)


def fit(Y, O, rate, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = jitted(M, log_S, Y, O, rate)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)

# %% wrong_last_elbo
# wrong: returns the last ELBO only; exercise: slow_compile; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos[-1]

# %% wrong_new_partial
# wrong: a scan, in a new partial at each call; exercise: slow_compile; must fail: compilations; says: compiled
def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    return jax.jit(partial(run, rate=rate, n_iterations=n_iterations))(Y, O)

# %% wrong_no_jit
# wrong: a scan and no jit; exercise: slow_compile; must fail: compilations; says: jit
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_oaks
# wrong: fits the oaks, whatever it is given; exercise: slow_compile; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, counts, offsets, rate)
        return (M, log_S), elbo

    start = jnp.zeros(counts.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_one_iteration
# wrong: for one iteration, the ELBO is a number and no longer an array of one; exercise: slow_compile; must fail: outputs; says: shape
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo[None]

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos.squeeze()

# %% wrong_own_cache
# wrong: keeps its programs in a dictionary; exercise: slow_compile; must fail: purity, compilations; says: programs
programs = {}


def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    if (Y.shape, n_iterations) not in programs:
        programs[Y.shape, n_iterations] = jax.jit(partial(run, n_iterations=n_iterations))
    return programs[Y.shape, n_iterations](Y, O, rate)

# %% wrong_program_by_number
# wrong: a jitted function for each number of iterations, in an lru_cache; exercise: slow_compile; must fail: compilations; says: the task asks for one
from functools import lru_cache


@lru_cache
def program(n):
    @jax.jit
    def run(Y, O, rate):
        def body(carry, _):
            M, log_S, elbo = step(*carry, Y, O, rate)
            return (M, log_S), elbo

        z = jnp.zeros_like(Y)
        (M, log_S), elbos = jax.lax.scan(body, (z, z), length=n)
        return M, log_S, elbos

    return run


def fit(Y, O, rate, n_iterations):
    return program(n_iterations)(Y, O, rate)

# %% wrong_rate_static
# wrong: the rate is static too; exercise: slow_compile; must fail: compilations; says: `rate` was the static value
@partial(jax.jit, static_argnames=("rate", "n_iterations"))
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos

# %% wrong_static_data
# wrong: the data are a static argument; exercise: slow_compile; must fail: compilations; says: another one
class Held:
    def __init__(self, Y, O):
        self.Y, self.O = Y, O


@partial(jax.jit, static_argnames=("held", "n_iterations"))
def run(held, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, held.Y, held.O, rate)
        return (M, log_S), elbo

    zeros = jnp.zeros(held.Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (zeros, zeros), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    return run(Held(Y, O), rate, n_iterations)

# %% wrong_table_of_programs
# wrong: a table of a hundred jitted functions, so that no fit can have more iterations; exercise: slow_compile; must fail: compilations; says: the task asks for one
def run(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=n_iterations)
    return M, log_S, elbos


fits = {n: jax.jit(partial(run, n_iterations=n)) for n in range(1, 101)}


def fit(Y, O, rate, n_iterations):
    return fits[n_iterations](Y, O, rate)

# %% wrong_twelve_at_most
# wrong: room for the twelve iterations of the notebook; exercise: slow_compile; must fail: outputs; says: fit
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, Y, O, rate)
        return (M, log_S), elbo

    start = jnp.zeros(Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (start, start), length=min(n_iterations, 12))
    return M, log_S, jnp.pad(elbos, (0, n_iterations - len(elbos)))

# %% wrong_unrolled
# wrong: jitted once, still unrolled; exercise: slow_compile; must fail: compilations; says: unrolled
@partial(jax.jit, static_argnames="n_iterations")
def fit(Y, O, rate, n_iterations):
    M = log_S = jnp.zeros(Y.shape)
    elbos = []
    for _ in range(n_iterations):
        M, log_S, elbo = step(M, log_S, Y, O, rate)
        elbos.append(elbo)
    return M, log_S, jnp.stack(elbos)

# %% starter
# starter: as shipped; exercise: slow_compile; must fail: compilations; says: compiled

# %% empty
# empty: nothing in the cell; exercise: slow_compile; must fail: outputs; says: There is no
