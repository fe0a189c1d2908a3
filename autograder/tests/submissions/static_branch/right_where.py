# right: both branches, one program for all powers; exercise: static_branch
@jax.jit
def box_cox(counts, power):
    safe = jnp.where(power == 0, 1, power)
    return jnp.where(power == 0, jnp.log(counts + 1), ((counts + 1) ** safe - 1) / safe)
