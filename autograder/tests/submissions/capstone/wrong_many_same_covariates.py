# wrong: the covariates of the first data set for all; exercise: capstone_many; must fail: outputs; says: data set
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O: fit(Y, O, X[0], n_iterations))(Y, O)
