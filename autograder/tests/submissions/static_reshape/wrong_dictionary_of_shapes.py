# wrong: a jitted function for each shape, in a dictionary; exercise: static_reshape; must fail: compilations; says: the task asks for one
programs = {}


def rank_abundance(counts):
    if counts.shape not in programs:
        programs[counts.shape] = jax.jit(
            lambda table: jnp.sort((table / table.sum()).reshape(-1), descending=True)
        )
    return programs[counts.shape](counts)
