# right: NumPy looks at the groups before the jitted function; exercise: debugging
@jax.jit
def _log_means(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    numbers = np.asarray(group)
    outside = numbers[(numbers < 0) | (numbers >= B.shape[0])]
    if outside.size:
        raise IndexError(f"groups {outside.tolist()} are out of range(0, {B.shape[0]})")
    return _log_means(B, group, O)
