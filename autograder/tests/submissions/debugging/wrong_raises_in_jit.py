# wrong: an if in the jitted function; exercise: debugging; must fail: outputs; says: TracerBoolConversionError
@jax.jit
def log_means(B, group, O):
    if (group < 0).any() or (group >= len(B)).any():
        raise IndexError("a group is out of range")
    return O + B[group]
