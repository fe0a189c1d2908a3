# wrong: the shapes traced so far are kept in a set; exercise: tracing_print; must fail: purity; says: changes from a set of 0
traced_shapes = set()


@jax.jit
def error_and_largest(a, b):
    traced_shapes.add(a.shape)
    difference = a - b
    return jnp.sum(difference**2), jnp.max(jnp.abs(difference))
