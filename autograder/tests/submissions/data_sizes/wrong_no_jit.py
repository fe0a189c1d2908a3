# wrong: the decorator is gone, and with it the error; exercise: data_sizes; must fail: outputs; says: Array boolean indices must be concrete
def summarize(counts, chosen):
    selected = counts[chosen]
    smallest = selected.min(axis=0, initial=jnp.inf)
    return jnp.nan_to_num(selected.mean(axis=0)), jnp.where(chosen.any(), smallest, 0)
