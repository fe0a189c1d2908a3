# wrong: room for the sites of the oaks; exercise: mixed_quiz_3_prepare; must fail: outputs; says: shape
from typing import NamedTuple


class Options(NamedTuple):
    logs: bool
    power: int


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    n = len(Y)
    Y = jnp.zeros((116, Y.shape[1])).at[:n].set(Y)[:n]
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))
