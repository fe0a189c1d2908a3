# wrong: what is returned still wants the steps; exercise: ahead_of_time_compiled; must fail: outputs; says: missing 1 required positional argument
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O, steps: compiled(Y, O)
