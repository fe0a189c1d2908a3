# right: an assertion before; exercise: debugging
@jax.jit
def compute(B, group, O):
    return jax.vmap(lambda k, o: o + B[k])(group, O)


def log_means(B, group, O):
    assert group.min() >= 0 and group.max() < len(B), f"group out of range: {group}"
    return compute(B, group, O)
