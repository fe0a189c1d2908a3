# right: lax.map in place of vmap; exercise: capstone_many
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.lax.map(lambda data: fit(*data, n_iterations), (Y, O, X))
