# wrong: checked and not jitted; exercise: debugging; must fail: compilations; says: jax.jit
def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        raise IndexError("a group is out of range")
    return O + B[group]
