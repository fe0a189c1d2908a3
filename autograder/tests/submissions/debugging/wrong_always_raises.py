# wrong: raises for good groups too; exercise: debugging; must fail: outputs; says: out of range
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if group.max() >= len(B) - 1:
        raise IndexError("a group is out of range")
    return look_up(B, group, O)
