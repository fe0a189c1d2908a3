# wrong: puts the data sets last; exercise: capstone_many; must fail: outputs; says: needs a leading axis
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations), out_axes=-1)(Y, O, X)
