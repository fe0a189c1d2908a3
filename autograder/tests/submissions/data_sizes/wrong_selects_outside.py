# wrong: selects outside of the jitted part; exercise: data_sizes; must fail: outputs; says: Array boolean indices must be concrete
@jax.jit
def of_selected(selected):
    return selected.mean(axis=0), selected.min(axis=0)


def summarize(counts, chosen):
    return of_selected(counts[chosen])
