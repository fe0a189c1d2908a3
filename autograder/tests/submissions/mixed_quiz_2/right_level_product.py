# right: a dot product with the mask, under cond; exercise: mixed_quiz_2_level
@jax.jit
def level_where_found(counts):
    found = (counts > 0).astype(counts.dtype)
    total = jnp.dot(found, jnp.log(counts + (1 - found)))
    number = found.sum()
    return jax.lax.cond(number == 0, lambda: 0.0, lambda: total / number)
