"""Repairs of the drills of the lesson static_branch."""

# %% starter_sum_powers
# starter: as given; exercise: sum_powers; must fail: outputs; says: TracerIntegerConversionError

# %% right_sum_powers_1
# right: by position, with a loop; exercise: sum_powers
def powers(x, degree):
    total = 0.0
    for k in range(degree):
        total = total + x ** (k + 1)
    return total

sum_powers = jax.jit(powers, static_argnums=1)

# %% right_sum_powers_2
# right: no static argument at all; exercise: sum_powers
@jax.jit
def sum_powers(x, degree):
    def add(k, carry):
        total, power = carry
        return total + power * x, power * x
    return jax.lax.fori_loop(0, degree, add, (jnp.zeros_like(x), jnp.ones_like(x)))[0]

# %% wrong_sum_powers_1
# wrong: the closed form, which divides by 0 at 1; exercise: sum_powers; must fail: outputs; says: nan
@partial(jax.jit, static_argnames="degree")
def sum_powers(x, degree):
    return x * (1 - x**degree) / (1 - x)

# %% wrong_sum_powers_2
# wrong: no jit; exercise: sum_powers; must fail: compilations; says: jit
def sum_powers(x, degree):
    return sum(x**k for k in range(1, degree + 1))

# %% wrong_sum_powers_3
# wrong: begins with the power 0; exercise: sum_powers; must fail: outputs; says: 1
@partial(jax.jit, static_argnames="degree")
def sum_powers(x, degree):
    return sum(x**k for k in range(degree + 1))

# %% wrong_sum_powers_4
# wrong: both static; exercise: sum_powers; must fail: outputs; says: ashable
@partial(jax.jit, static_argnames=("x", "degree"))
def sum_powers(x, degree):
    return sum(x**k for k in range(1, degree + 1))

# %% starter_rescale
# starter: as given; exercise: rescale; must fail: outputs; says: str

# %% right_rescale
# right: two jitted functions, a plain one that chooses; exercise: rescale
@jax.jit
def share(counts):
    return counts / jnp.sum(counts)

@jax.jit
def keep(counts):
    return jnp.array(counts)

def rescale(counts, unit):
    return {"share": share, "count": keep}[unit](counts)

# %% wrong_rescale_1
# wrong: shares of the rows; exercise: rescale; must fail: outputs; says: rescale
@partial(jax.jit, static_argnames="unit")
def rescale(counts, unit):
    return counts / counts.sum(axis=1, keepdims=True) if unit == "share" else counts

# %% wrong_rescale_2
# wrong: jitted at each call; exercise: rescale; must fail: compilations; says: compile
def rescale(counts, unit):
    return jax.jit(lambda c: c / c.sum() if unit == "share" else c)(counts)

# %% starter_soften
# starter: as given; exercise: soften; must fail: outputs; says: ashable

# %% right_soften
# right: where, traced; exercise: soften
@jax.jit
def soften(counts, root):
    return jnp.where(root, jnp.sqrt(counts), jnp.log1p(counts))

# %% wrong_soften_1
# wrong: no static argument; exercise: soften; must fail: outputs; says: `if`
@jax.jit
def soften(counts, root):
    return jnp.sqrt(counts) if root else jnp.log(counts + 1)

# %% wrong_soften_2
# wrong: the flag the other way round; exercise: soften; must fail: outputs; says: soften
@partial(jax.jit, static_argnames="root")
def soften(counts, root):
    return jnp.log(counts + 1) if root else jnp.sqrt(counts)

# %% starter_frugal_box_cox
# starter: as given; exercise: frugal_box_cox; must fail: compilations; says: 2

# %% right_frugal_box_cox_1
# right: one program, two where's; exercise: frugal_box_cox
@jax.jit
def frugal_box_cox(counts, power):
    safe = jnp.where(power == 0, 1, power)
    return jnp.where(power == 0, jnp.log(counts + 1), ((counts + 1) ** safe - 1) / safe)

# %% right_frugal_box_cox_2
# right: a static flag; exercise: frugal_box_cox
@partial(jax.jit, static_argnames="is_log")
def transform(counts, power, is_log):
    return jnp.log(counts + 1) if is_log else ((counts + 1) ** power - 1) / power

def frugal_box_cox(counts, power):
    return transform(counts, power, is_log=power == 0)

# %% wrong_frugal_box_cox_1
# wrong: where divides by 0; exercise: frugal_box_cox; must fail: outputs; says: frugal_box_cox
@jax.jit
def frugal_box_cox(counts, power):
    return jnp.where(power != 0, jnp.log(counts + 1), ((counts + 1) ** power - 1) / power)

# %% wrong_frugal_box_cox_2
# wrong: not jitted; exercise: frugal_box_cox; must fail: compilations; says: jit
def frugal_box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power

# %% wrong_sum_powers_5
# wrong: room for 114 numbers; exercise: sum_powers; must fail: outputs; says: Arrays of different sizes
@partial(jax.jit, static_argnames="degree")
def sum_powers(x, degree):
    room = jnp.zeros(114).at[: len(x)].set(x)
    return sum(room**k for k in range(1, degree + 1))[: len(x)]

# %% wrong_frugal_box_cox_3
# wrong: the powers of the plot only; exercise: frugal_box_cox; must fail: outputs; says: frugal_box_cox
@jax.jit
def by_power(counts, power):
    halves = [jnp.ones_like(counts), counts + 1]
    for _ in range(5):
        halves.append(halves[-1] * (counts + 1))
    safe = jnp.stack([1 / halves[1], *halves])
    return (safe[power + 1] - 1) / power

@jax.jit
def by_log(counts):
    return jnp.log(counts + 1)

def frugal_box_cox(counts, power):
    return by_log(counts) if power == 0 else by_power(counts, power)
