# wrong: results kept by the identity of the counts; exercise: traced_branch_switch; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts, kind):
    return lax.switch(kind, [jnp.log1p, jnp.sqrt, lambda y: (y > 0).astype(y.dtype)], counts)


def transform(counts, kind):
    if id(counts) not in known:
        known[id(counts)] = counts, compute(counts, kind)
    return known[id(counts)][1]
