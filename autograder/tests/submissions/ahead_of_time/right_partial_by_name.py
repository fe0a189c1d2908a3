# right: lowered and called by name; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    poisson_fit.lower(Y, O, steps=steps).compile()
    return partial(poisson_fit, steps=steps)
