# wrong: a static number that changes at every call; exercise: static_branch; must fail: purity, compilations; says: calls
calls = 0


@jax.jit(static_argnames=("power", "call"))
def transform(counts, power, call):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


def box_cox(counts, power):
    global calls
    calls += 1
    return transform(counts, power, calls)
