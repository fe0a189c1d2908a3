# wrong: compiled for the oaks, whatever is asked for; exercise: ahead_of_time_compiled; must fail: outputs; says: Lower the function with the shapes
def compile_fit(Y, O, steps):
    shapes = jax.ShapeDtypeStruct((116, 114), jnp.float32)
    return poisson_fit.lower(shapes, shapes, steps).compile()
