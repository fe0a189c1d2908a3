# wrong: makes arrays of what it is given; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with
def compile_fit(Y, O, steps):
    return poisson_fit.lower(jnp.asarray(Y), jnp.asarray(O), steps).compile()
