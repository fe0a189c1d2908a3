# wrong: the logarithm of the product, which overflows for many sites; exercise: mixed_quiz_2_level; must fail: outputs; says: inf
@jax.jit
def level_where_found(counts):
    found = counts > 0
    product = jnp.prod(jnp.where(found, counts, 1.0))
    return jnp.log(product) / jnp.maximum(found.sum(), 1)
