# right: compiled ahead of time, which fills the cache of the jitted function that is called; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: poisson_fit(Y, O, steps)
