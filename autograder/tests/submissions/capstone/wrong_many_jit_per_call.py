# wrong: a new jitted function at every call; exercise: capstone_many; must fail: compilations; says: compiled again
def fit_many(Y, O, X, n_iterations):
    return jax.jit(jax.vmap(lambda y, o, x: fit(y, o, x, n_iterations)))(Y, O, X)
