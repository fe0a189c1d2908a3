# right: the program returns whether all groups have a row; exercise: debugging
from typing import NamedTuple


class Outcome(NamedTuple):
    counts: jax.Array
    smallest: jax.Array
    largest: jax.Array


@jax.jit
def outcome(B, group, O):
    return Outcome(O + jnp.take(B, group, axis=0, mode="clip"), group.min(), group.max())


def log_means(B, group, O):
    found = outcome(B, group, O)
    if found.smallest < 0 or found.largest >= len(B):
        raise KeyError(f"index {int(found.smallest)} or {int(found.largest)} has no row")
    return found.counts
