# wrong: warms the jitted function up in place of compiling; exercise: ahead_of_time_compiled; must fail: outputs; says: there are no numbers to compute with
def compile_fit(Y, O, steps):
    poisson_fit(Y, O, steps)
    return poisson_fit
