# right: a class of its own for the error, and a matrix product; exercise: debugging
class UnknownGroup(Exception):
    pass


@jax.jit
def look_up(B, group, O):
    member = jax.nn.one_hot(group, B.shape[0])
    rows = jnp.matmul(member, B, precision="highest")
    return O + rows, member.sum(axis=1) == 1


def log_means(B, group, O):
    counts, known = look_up(B, group, O)
    unknown = np.flatnonzero(~np.asarray(known))
    if len(unknown) > 0:
        raise UnknownGroup(f"leaf {unknown[0]} has group {group[unknown[0]]}")
    return counts
