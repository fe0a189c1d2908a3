# wrong: returns the results; exercise: ahead_of_time_compiled; must fail: outputs; says: to be called as `fit(Y, O)`
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return compiled(jnp.zeros(Y.shape), jnp.zeros(O.shape))
