# wrong: keeps the number of sites in a list; exercise: mixed_quiz_2_level; must fail: purity; says: sites
sites = []


@jax.jit
def level_where_found(counts):
    found = counts > 0
    sites.append(found.sum())
    return jnp.log(jnp.where(found, counts, 1.0)).sum() / jnp.maximum(found.sum(), 1)
