# wrong: jit taken away; exercise: mixed_quiz_1_shorten; must fail: compilations; says: jit
def shorten(step, longest):
    length = jnp.sqrt(jnp.sum(step**2))
    return jnp.where(length > longest, longest / length, 1) * step
