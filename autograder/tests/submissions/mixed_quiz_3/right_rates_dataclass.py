# right: a registered dataclass; exercise: mixed_quiz_3_rates
from dataclasses import dataclass


@jax.tree_util.register_dataclass
@dataclass
class Rates:
    offsets: jax.Array

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)
