# wrong: 400 iterations, however many are asked for; exercise: capstone_many; must fail: outputs; says: n_iterations
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, 400))(Y, O, X)
