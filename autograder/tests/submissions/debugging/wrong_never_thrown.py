# wrong: the error is never thrown; exercise: debugging; must fail: outputs; says: nobody learns
def look_up(B, group, O):
    inside = (group >= 0) & (group < len(B))
    checkify.check(inside.all(), "a group is out of range")
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up))


def log_means(B, group, O):
    _, result = checked(B, group, O)
    return result
