# wrong: keeps a history; exercise: static_branch; must fail: purity; says: history
history = []


@jax.jit(static_argnames="power")
def box_cox(counts, power):
    history.append(power)
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power
