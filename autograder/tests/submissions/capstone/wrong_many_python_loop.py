# wrong: a Python loop over the data sets; exercise: capstone_many; must fail: compilations; says: over the data
@partial(jax.jit, static_argnames="n_iterations")
def fit_many(Y, O, X, n_iterations):
    fits = [fit(*data, n_iterations) for data in zip(Y, O, X, strict=True)]
    return jax.tree.map(lambda *leaves: jnp.stack(leaves), *fits)
