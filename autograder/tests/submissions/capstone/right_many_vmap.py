# right: vmap of a lambda under jit; exercise: capstone_many
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations))(Y, O, X)
