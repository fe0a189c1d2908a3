# wrong: written into a table with room for the oaks; exercise: static_branch; must fail: outputs; says: Arrays of different sizes
from functools import partial


@partial(jax.jit, static_argnames="power")
def box_cox(counts, power):
    room = jnp.zeros(116 * 114).at[: counts.size].set(counts.ravel())
    values = jnp.log(room + 1) if power == 0 else ((room + 1) ** power - 1) / power
    return values[: counts.size].reshape(counts.shape)
