# wrong: a dictionary of jitted functions; exercise: static_branch; must fail: compilations; says: the task asks for one
programs = {}


def make(power):
    if power == 0:
        return jax.jit(lambda counts: jnp.log(counts + 1))
    return jax.jit(lambda counts: ((counts + 1) ** power - 1) / power)


for _p in range(-20, 20):
    programs[_p] = make(_p)


def box_cox(counts, power):
    return programs[power](counts)
