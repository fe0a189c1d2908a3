# wrong: an error without words; exercise: debugging; must fail: outputs; says: must understand
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        raise ValueError
    return look_up(B, group, O)
