# right: a jitted function of the data alone, compiled ahead of time; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    fit = jax.jit(lambda Y, O: poisson_fit(Y, O, steps))
    fit.lower(Y, O).compile()
    return fit
