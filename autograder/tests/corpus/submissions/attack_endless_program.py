# attack: a while_loop that never ends; exercise: static_reshape; must not gain: outputs; says: longer than; seconds: 15
@jax.jit
def rank_abundance(counts):
    never = jax.lax.while_loop(lambda s: s[1] < 1, lambda s: (s[0] + 1, s[1] * 1), (0, 0))
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True) + never[0]
