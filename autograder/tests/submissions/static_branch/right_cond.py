# right: lax.cond on a traced power; exercise: static_branch
@jax.jit
def box_cox(counts, power):
    divisor = jnp.where(power == 0, 1, power)
    return jax.lax.cond(
        power == 0,
        lambda y: jnp.log(y),
        lambda y: (y**divisor - 1) / divisor,
        counts + 1,
    )
