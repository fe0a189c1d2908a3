# right: changes a local dict and a local list; exercise: static_reshape
@jax.jit
def rank_abundance(counts):
    parts = {}
    parts["total"] = counts.sum()
    pieces = [counts / parts["total"]]
    pieces.append(pieces[-1].reshape(-1))
    return jnp.sort(pieces.pop(), descending=True)
