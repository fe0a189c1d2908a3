# right: an object that holds the compiled program; exercise: ahead_of_time_compiled
class Fit:
    def __init__(self, compiled):
        self.compiled = compiled

    def __call__(self, Y, O):
        return self.compiled(Y, O)


def compile_fit(Y, O, steps):
    shapes = [jax.ShapeDtypeStruct(a.shape, a.dtype) for a in (Y, O)]
    return Fit(jax.jit(partial(poisson_fit, steps=steps)).lower(*shapes).compile())
