# wrong: a partial of the jitted function; exercise: ahead_of_time_compiled; must fail: compilations; says: it still goes through `jax.jit`
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return partial(poisson_fit, steps=steps)
