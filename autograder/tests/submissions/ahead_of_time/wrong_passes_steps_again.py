# wrong: gives the compiled object its static argument; exercise: ahead_of_time_compiled; must fail: outputs; says: Leave the static arguments out
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: compiled(Y, O, steps)
