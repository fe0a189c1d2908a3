# right: steps by keyword; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    return poisson_fit.lower(Y, O, steps=steps).compile()
