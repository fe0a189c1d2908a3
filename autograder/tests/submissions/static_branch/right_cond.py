# right: lax.cond on a traced power; exercise: static_branch
@jax.jit
def box_cox(counts, power):
    return jax.lax.cond(
        power == 0,
        lambda y: jnp.log(y),
        lambda y: (y ** jnp.maximum(power, 1) - 1) / jnp.maximum(power, 1),
        counts + 1,
    )
