# wrong: takes every power below 0 for 1; exercise: static_branch; must fail: outputs; says: result
@jax.jit
def box_cox(counts, power):
    return jax.lax.cond(
        power == 0,
        lambda y: jnp.log(y),
        lambda y: (y ** jnp.maximum(power, 1) - 1) / jnp.maximum(power, 1),
        counts + 1,
    )
