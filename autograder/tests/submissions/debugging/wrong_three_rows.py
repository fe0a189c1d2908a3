# wrong: takes three for the number of rows; exercise: debugging; must fail: outputs; says: in the call `log_means(float32[5,2]
def look_up(B, group, O):
    checkify.check(((group >= 0) & (group < 3)).all(), "group out of range")
    return O + B[group]


checked = jax.jit(checkify.checkify(look_up))


def log_means(B, group, O):
    error, result = checked(B, group, O)
    error.throw()
    return result
