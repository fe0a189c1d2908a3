# right: a registered dataclass; exercise: mixed_quiz_3_gaussian
from dataclasses import dataclass


@jax.tree_util.register_dataclass
@dataclass
class Gaussian:
    mean: jax.Array
    log_sd: jax.Array


@jax.jit
def expected_counts(q, O):
    return jnp.exp(O + q.mean + jnp.exp(q.log_sd) ** 2 / 2)
