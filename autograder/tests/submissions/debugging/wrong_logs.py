# wrong: logs each call; exercise: debugging; must fail: purity; says: logging.warning() is called
import logging

look = jax.jit(lambda B, g, O: O + B[g])


def log_means(B, group, O):
    logging.warning("looking up %s", group)
    if np.any(np.asarray(group) >= len(B)) or np.any(np.asarray(group) < 0):
        raise IndexError("group out of range")
    return look(B, group, O)
