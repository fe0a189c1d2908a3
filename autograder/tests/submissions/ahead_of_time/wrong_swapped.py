# wrong: offsets and counts swapped; exercise: ahead_of_time_compiled; must fail: outputs; says: arguments in their order
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()
    return lambda Y, O: compiled(O, Y)
