# right: a function around the compiled object; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()

    def fit(Y, O):
        return compiled(Y, O)

    return fit
