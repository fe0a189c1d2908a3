# wrong: the tutorial's mistake, the plain function is called; exercise: ahead_of_time_compiled; must fail: compilations; says: does not run what `compile_fit` compiled
def compile_fit(Y, O, steps):
    def fit(Y, O):
        return poisson_fit(Y, O, steps)

    jax.jit(fit).lower(Y, O).compile()
    return fit
