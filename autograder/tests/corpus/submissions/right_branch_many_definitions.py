# right: tried out in the cell, with prints outside the function; exercise: static_branch
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    if power == 0:
        return jnp.log(counts + 1)
    return ((counts + 1) ** power - 1) / power


example = box_cox(jnp.arange(3.0), 2)
print(example, box_cox(jnp.arange(3.0), 0))
