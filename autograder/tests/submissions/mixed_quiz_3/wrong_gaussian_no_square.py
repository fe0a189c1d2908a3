# wrong: the standard deviation in place of its square; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: expected_counts
from typing import NamedTuple


class Gaussian(NamedTuple):
    mean: jax.Array
    log_sd: jax.Array


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) / 2)
