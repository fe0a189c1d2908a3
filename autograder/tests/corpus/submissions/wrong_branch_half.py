# wrong: float16 results; exercise: static_branch; must fail: outputs; says: Keep the inputs' dtype
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1).astype(jnp.float16)
    return (((counts + 1) ** power - 1) / power).astype(jnp.float16)
