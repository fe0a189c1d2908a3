# wrong: the number of iterations is static in fit only; exercise: capstone_many; must fail: outputs; says: static there, too
@jax.jit
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations))(Y, O, X)
