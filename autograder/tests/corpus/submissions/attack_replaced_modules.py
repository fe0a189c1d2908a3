# attack: NumPy and jax are other modules in sys.modules; exercise: static_reshape; must not gain: outputs
import sys
from types import ModuleType


class Anything(ModuleType):
    def __getattr__(self, name):
        return lambda *_, **__: True


sys.modules["numpy"] = Anything("numpy")
sys.modules["jax.export"] = Anything("jax.export")
sys.modules["autograder.model.wire"] = Anything("autograder.model.wire")


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
