# wrong: index_checks, which take -1 for the last row; exercise: debugging; must fail: outputs; says: group -1
def look_up(B, group, O):
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up, errors=checkify.index_checks))


def log_means(B, group, O):
    error, result = checked(B, group, O)
    error.throw()
    return result
