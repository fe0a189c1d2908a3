# right: a custom derivative nobody asked for; exercise: static_reshape
@jax.custom_jvp
def _shares(counts):
    return counts / counts.sum()


@_shares.defjvp
def _shares_jvp(primals, tangents):
    (counts,), (change,) = primals, tangents
    shares = counts / counts.sum()
    return shares, (change - shares * change.sum()) / counts.sum()


@jax.jit
def rank_abundance(counts):
    return jnp.sort(_shares(counts).reshape(-1), descending=True)
