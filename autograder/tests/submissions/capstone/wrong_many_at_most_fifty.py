# wrong: fifty fits at most; exercise: capstone_many; must fail: outputs; says: fit_many
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    k = len(Y)
    Y, O, X = (a[jnp.minimum(jnp.arange(k), 49)] for a in (Y, O, X))
    return jax.vmap(lambda Y, O, X: fit(Y, O, X, n_iterations))(Y, O, X)
