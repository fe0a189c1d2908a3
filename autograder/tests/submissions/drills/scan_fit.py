"""Repairs of the drills of the lesson scan_fit."""

# %% starter_smooth
# starter: as given; exercise: smooth; must fail: outputs; says: pair

# %% right_smooth
# right: a history that is written to; exercise: smooth
@jax.jit
def smooth(x):
    def body(i, state):
        before, values = state
        value = 0.5 * (before + x[i])
        return value, values.at[i].set(value)

    return jax.lax.fori_loop(0, x.size, body, (jnp.zeros(()), jnp.zeros_like(x)))[1]

# %% wrong_smooth_1
# wrong: keeps the value before; exercise: smooth; must fail: outputs; says: smooth
@jax.jit
def smooth(x):
    return jax.lax.scan(lambda before, one: ((before + one) / 2, before), jnp.zeros(()), x)[1]

# %% wrong_smooth_2
# wrong: the last value only; exercise: smooth; must fail: outputs; says: smooth
@jax.jit
def smooth(x):
    return jax.lax.scan(lambda before, one: ((before + one) / 2, None), jnp.zeros(()), x)[0]

# %% starter_total_by_taxon
# starter: as given; exercise: total_by_taxon; must fail: outputs; says: carry

# %% right_total_by_taxon_1
# right: begins with the first row; exercise: total_by_taxon
@jax.jit
def total_by_taxon(Y):
    return jax.lax.scan(lambda total, row: (total + row, None), Y[0], Y[1:])[0]

# %% right_total_by_taxon_2
# right: no scan; exercise: total_by_taxon
total_by_taxon = jax.jit(lambda Y: jnp.sum(Y, axis=0))

# %% wrong_total_by_taxon_1
# wrong: a total of all; exercise: total_by_taxon; must fail: outputs; says: total_by_taxon
@jax.jit
def total_by_taxon(Y):
    return jax.lax.scan(lambda total, row: (total + row.sum(), None), 0.0, Y)[0]

# %% wrong_total_by_taxon_2
# wrong: the first row twice; exercise: total_by_taxon; must fail: outputs; says: total_by_taxon
@jax.jit
def total_by_taxon(Y):
    return jax.lax.scan(lambda total, row: (total + row, None), Y[0], Y)[0]

# %% starter_average_growth
# starter: as given; exercise: average_growth; must fail: memory; says: MiB

# %% right_average_growth
# right: a running mean; exercise: average_growth
from functools import partial


@partial(jax.jit, static_argnums=1)
def average_growth(x, steps):
    def body(i, carry):
        x, mean = carry
        x = x + 0.1 * x * (1 - x)
        return x, mean + (x - mean) / (i + 1)

    return jax.lax.fori_loop(0, steps, body, (x, jnp.zeros_like(x)))[1]

# %% wrong_average_growth_1
# wrong: the start counts too; exercise: average_growth; must fail: outputs; says: average_growth
from functools import partial


@partial(jax.jit, static_argnums=1)
def average_growth(x, steps):
    def body(carry, _):
        x, total = carry
        return (x + 0.1 * x * (1 - x), total + x), None

    return jax.lax.scan(body, (x, jnp.zeros_like(x)), length=steps)[0][1] / steps

# %% wrong_average_growth_2
# wrong: the last state; exercise: average_growth; must fail: outputs; says: average_growth
from functools import partial


@partial(jax.jit, static_argnums=1)
def average_growth(x, steps):
    return jax.lax.fori_loop(0, steps, lambda i, x: x + 0.1 * x * (1 - x), x)

# %% wrong_smooth_3
# wrong: room for the leaves of the oaks; exercise: smooth; must fail: outputs; says: different sizes
@jax.jit
def smooth(x):
    room = jnp.zeros(116).at[: len(x)].set(x)

    def body(before, one):
        value = (before + one) / 2
        return value, value

    return jax.lax.scan(body, jnp.zeros((), x.dtype), room)[1][: len(x)]
