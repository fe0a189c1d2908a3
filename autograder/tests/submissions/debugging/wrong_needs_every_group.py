# wrong: raises for right groups, too, if a row of B belongs to none of the leaves; exercise: debugging; must fail: outputs; says: not in the range
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if not np.array_equal(np.unique(group), np.arange(len(B))):
        raise ValueError(f"the groups are not in the range 0 to {len(B) - 1}")
    return look_up(B, group, O)
