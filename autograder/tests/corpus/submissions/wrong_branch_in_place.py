# wrong: assigns into the array; exercise: static_branch; must fail: outputs; says: x.at[i].set(v)
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    counts[...] = counts + 1
    return jnp.log(counts) if power == 0 else (counts**power - 1) / power
