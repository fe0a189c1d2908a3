# wrong: admits one group too many; exercise: debugging; must fail: outputs; says: group 3
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if (group < 0).any() or (group > len(B)).any():
        raise ValueError("a group is out of range")
    return look_up(B, group, O)
