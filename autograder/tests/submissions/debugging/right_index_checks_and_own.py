# right: index_checks for large groups, a check of its own for negative ones; exercise: debugging
def look_up(B, group, O):
    checkify.check(jnp.all(group >= 0), "negative group: {low}", low=group.min())
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up, errors=checkify.index_checks | checkify.user_checks))


def log_means(B, group, O):
    error, result = checked(B, group, O)
    checkify.check_error(error)
    return result
