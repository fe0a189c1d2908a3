# wrong: results kept by the identity of the counts; exercise: early_stop; must fail: purity; says: known
known = {}


@jax.jit
def compute(counts, offsets, limit):
    def go_on(state):
        _, change, iterations = state
        return (change > 1e-5) & (iterations < limit)

    def step(state):
        z, _, iterations = state
        new = newton(z, counts, offsets)
        return new, jnp.max(jnp.abs(new - z) / (1 + jnp.abs(new))), iterations + 1

    start = jnp.log(counts + 0.5) - offsets, jnp.inf, 0
    z, change, iterations = lax.while_loop(go_on, step, start)
    return z, iterations, change <= 1e-5


def latent_mode(counts, offsets, limit):
    if id(counts) not in known:
        known[id(counts)] = counts, compute(counts, offsets, limit)
    return known[id(counts)][1]
