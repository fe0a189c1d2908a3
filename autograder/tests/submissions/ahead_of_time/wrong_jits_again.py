# wrong: a jit of its own, which was not compiled; exercise: ahead_of_time_compiled; must fail: compilations; says: Compile inside `compile_fit`
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return jax.jit(lambda Y, O: poisson_fit(Y, O, steps))
