# wrong: a dataclass that is not frozen has no hash; exercise: mixed_quiz_3_prepare; must fail: outputs; says: hash
from dataclasses import dataclass


@dataclass
class Options:
    logs: bool
    power: int


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))
