# wrong: leaves the throwing to the caller; exercise: debugging; must fail: outputs; says: nobody learns
def look_up(B, group, O):
    inside = (group >= 0) & (group < len(B))
    checkify.check(inside.all(), "a group is out of range")
    return O + B[group]


log_means = jax.jit(checkify.checkify(look_up))
