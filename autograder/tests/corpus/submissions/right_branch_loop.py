# right: an unrolled product of few factors; exercise: static_branch
@jax.jit(static_argnames="power")
def box_cox(counts, power):
    y, product = counts + 1, jnp.ones_like(counts)
    for _ in range(power):
        product = product * y
    return (product - 1) / power if power else jnp.log(y)
