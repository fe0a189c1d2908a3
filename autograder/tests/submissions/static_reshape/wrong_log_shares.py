# wrong: sorts the logarithms, whose ties of zeros are NaN; exercise: static_reshape; must fail: outputs; says: NaN
@jax.jit
def rank_abundance(counts):
    logs = jnp.sort(jnp.log(counts.reshape(-1)))[::-1]
    return jnp.exp(logs - logs[-1]) / jnp.sum(jnp.exp(logs - logs[-1]))
