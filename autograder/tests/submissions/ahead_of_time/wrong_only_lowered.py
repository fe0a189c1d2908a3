# wrong: not compiled; exercise: ahead_of_time_compiled; must fail: outputs; says: Go on with `.compile()`
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps)
