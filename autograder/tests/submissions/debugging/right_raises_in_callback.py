# right: the error is raised in a pure_callback; exercise: debugging
def _raise(group, n):
    if (np.asarray(group) < 0).any() or (np.asarray(group) >= n).any():
        raise IndexError(f"group out of range: {group}")
    return np.asarray(group)


@jax.jit
def log_means(B, group, O):
    rows = len(B)
    group = jax.pure_callback(
        lambda g: _raise(g, rows), jax.ShapeDtypeStruct(group.shape, group.dtype), group
    )
    return O + B[group]
