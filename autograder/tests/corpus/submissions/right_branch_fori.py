# right: a loop with a traced bound; exercise: static_branch
@jax.jit
def box_cox(counts, power):
    y = counts + 1
    raised = jax.lax.fori_loop(0, power, lambda _, z: z * y, jnp.ones_like(y))
    return jnp.where(power == 0, jnp.log(y), (raised - 1) / jnp.maximum(power, 1))
