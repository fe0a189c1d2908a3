# wrong: jax.debug.print is left in; exercise: debugging; must fail: purity; says: jax.debug.print
@jax.jit
def look_up(B, group, O):
    jax.debug.print("largest group {g}", g=group.max())
    return O + B[group]


def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        raise IndexError("a group is out of range")
    return look_up(B, group, O)
