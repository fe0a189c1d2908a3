# wrong: compiles at the call; exercise: ahead_of_time_compiled; must fail: compilations; says: Compile inside `compile_fit`
def compile_fit(Y, O, steps):
    return lambda Y, O: poisson_fit.lower(Y, O, steps).compile()(Y, O)
