# right: stage by stage, from shapes made anew; exercise: ahead_of_time_compiled
def compile_fit(Y, O, steps):
    shapes = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in (Y, O)]
    lowered = poisson_fit.trace(*shapes, steps).lower()
    compiled = lowered.compile()
    return compiled
