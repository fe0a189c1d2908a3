# wrong: compiled for 20 steps; exercise: ahead_of_time_compiled; must fail: outputs; says: Lower with the `Y`, `O` and `steps`
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, 20).compile()
