# wrong: only counts the groups, so that 1, 2, 3 pass for 0, 1, 2; exercise: debugging; must fail: outputs; says: numbered from 1
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if len(np.unique(group)) > len(B):
        raise IndexError(f"a group is out of range: B has {len(B)} rows")
    return look_up(B, group, O)
