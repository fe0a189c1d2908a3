# wrong: only one branch is jitted; exercise: static_branch; must fail: compilations; says: Put the whole function under one jax.jit
@jax.jit
def log_part(counts):
    return jnp.log(counts + 1)


def box_cox(counts, power):
    if power == 0:
        return log_part(counts)
    return ((counts + 1) ** power - 1) / power
