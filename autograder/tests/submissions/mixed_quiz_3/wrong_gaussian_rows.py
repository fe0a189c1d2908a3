# wrong: row by row, so that a mean for each taxon, or one standard deviation for all, fails; exercise: mixed_quiz_3_gaussian; must fail: outputs; says: vmap
from typing import NamedTuple


class Gaussian(NamedTuple):
    mean: jax.Array
    log_sd: jax.Array


@jax.jit
@jax.vmap
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)
