# wrong: the order is right, and jit is gone; exercise: mixed_quiz_3_gaussian; must fail: compilations; says: jit
from typing import NamedTuple


class Gaussian(NamedTuple):
    mean: jax.Array
    log_sd: jax.Array


def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)
