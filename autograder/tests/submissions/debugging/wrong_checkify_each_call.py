# wrong: a new checked function at each call; exercise: debugging; must fail: compilations; says: again
def look_up(B, group, O):
    inside = (group >= 0) & (group < len(B))
    checkify.check(inside.all(), "a group is out of range")
    return O + B[group]


def log_means(B, group, O):
    error, result = jax.jit(checkify.checkify(look_up))(B, group, O)
    error.throw()
    return result
