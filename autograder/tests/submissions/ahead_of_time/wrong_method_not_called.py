# wrong: the method, not called; exercise: ahead_of_time_compiled; must fail: outputs; says: does not call it
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps).compile
