# wrong: the program is kept in a global, so an earlier fit runs the latest one; exercise: ahead_of_time_compiled; must fail: outputs; says: until `compile_fit` was called again
compiled = None


def run(Y, O):
    return compiled(Y, O)


def compile_fit(Y, O, steps):
    global compiled
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return run
