# wrong: the mask as a static argument; exercise: data_sizes; must fail: outputs; says: hashable
@partial(jax.jit, static_argnames="chosen")
def summarize(counts, chosen):
    selected = counts[chosen]
    return selected.mean(axis=0), selected.min(axis=0)
