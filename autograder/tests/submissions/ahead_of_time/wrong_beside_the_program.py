# wrong: computes beside the program; exercise: ahead_of_time_compiled; must fail: compilations; says: beside that program
def compile_fit(Y, O, steps):
    compiled = poisson_fit.lower(Y, O, steps).compile()

    def fit(Y, O):
        means, likelihoods = compiled(Y, O)
        return means - 0.0, likelihoods

    return fit
