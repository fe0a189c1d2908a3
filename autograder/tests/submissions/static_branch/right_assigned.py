# right: jit applied afterwards; exercise: static_branch
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


box_cox = jax.jit(box_cox, static_argnums=1)
