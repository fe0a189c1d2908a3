# right: lax.switch over the powers; exercise: static_branch
@jax.jit
def box_cox(counts, power):
    y = counts + 1
    cases = [jnp.log, lambda y: y - 1, lambda y: (y**2 - 1) / 2, lambda y: (y**3 - 1) / 3]
    return jax.lax.switch(power, cases, y)
