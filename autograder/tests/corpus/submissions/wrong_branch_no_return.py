# wrong: no return; exercise: static_branch; must fail: outputs; says: can only return arrays
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    result = jnp.log(counts + 1) if power == 0 else ((counts + 1) ** power - 1) / power
