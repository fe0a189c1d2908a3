# verdict: wrong (compiled-again)
# counts: 1 1
import jax
import numpy as np

A = np.arange(6, dtype=np.float32)
CALLS = [(A, 0.1), (A, 0.2)]


class Model:
    def __init__(self, x, rate):
        self.x, self.rate = x, rate


jax.tree_util.register_pytree_node(
    Model, lambda m: ((m.x,), m.rate), lambda rate, children: Model(children[0], rate)
)


@jax.jit
def step(model):
    return model.x - model.rate * model.x


def entry(x, rate):
    return step(Model(x, rate))
