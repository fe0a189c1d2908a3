# wrong: maps over the counts only; exercise: capstone_many; must fail: outputs; says: data set 1
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda y: fit(y, O[0], X[0], n_iterations))(Y)
