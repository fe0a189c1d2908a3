# wrong: the jitted function itself; exercise: ahead_of_time_compiled; must fail: compilations; says: what `.compile()` gave is thrown away
def compile_fit(Y, O, steps):
    lowered = poisson_fit.lower(Y, O, steps)
    lowered.compile()
    return poisson_fit
