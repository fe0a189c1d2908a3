# wrong: only traced; exercise: ahead_of_time_compiled; must fail: outputs; says: Go on with `.lower().compile()`
def compile_fit(Y, O, steps):
    return poisson_fit.trace(Y, O, steps)
