# wrong: the offsets cannot be set any more; exercise: mixed_quiz_3_rates; must fail: outputs; says: assign
from dataclasses import dataclass


@jax.tree_util.register_dataclass
@dataclass(frozen=True)
class Rates:
    offsets: jax.Array

    @jax.jit
    def expected(self, B):
        return jnp.exp(self.offsets + B)
