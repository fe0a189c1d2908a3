# wrong: a dictionary in place of the pair; exercise: tracing_print; must fail: outputs; says: result['error']
@jax.jit
def error_and_largest(a, b):
    difference = a - b
    return {"error": jnp.sum(difference**2), "largest": jnp.max(jnp.abs(difference))}
