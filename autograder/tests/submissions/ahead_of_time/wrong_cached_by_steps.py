# wrong: programs are kept by the number of steps alone, whatever the shapes; exercise: ahead_of_time_compiled; must fail: outputs; says: works for the shapes and dtypes
programs = {}


def compile_fit(Y, O, steps):
    if steps not in programs:
        programs[steps] = poisson_fit.lower(Y, O, steps).compile()
    return programs[steps]
