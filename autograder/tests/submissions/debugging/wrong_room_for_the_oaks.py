# wrong: room for the leaves of the oaks; exercise: debugging; must fail: outputs; says: shape
def look_up(B, group, O):
    n = len(group)
    group = jnp.zeros(116, group.dtype).at[:n].set(group)[:n]
    inside = (group >= 0) & (group < len(B))
    worst = group[jnp.argmin(inside)]
    checkify.check(inside.all(), "group {worst} is out of range: B has no such row", worst=worst)
    return O + B[group]


checked_look_up = jax.jit(checkify.checkify(look_up))


def log_means(B, group, O):
    error, result = checked_look_up(B, group, O)
    error.throw()
    return result
