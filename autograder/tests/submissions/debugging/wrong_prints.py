# wrong: prints that something is wrong; exercise: debugging; must fail: outputs, purity; says: nobody learns
@jax.jit
def look_up(B, group, O):
    return O + B[group]


def log_means(B, group, O):
    if group.min() < 0 or group.max() >= len(B):
        print("a group is out of range")
    return look_up(B, group, O)
