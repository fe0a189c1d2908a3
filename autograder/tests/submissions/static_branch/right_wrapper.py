# right: a plain function that only calls the jitted one; exercise: static_branch
@jax.jit(static_argnums=1)
def _box_cox(counts, power):
    if not power:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    return _box_cox(counts, power)
