# right: a frozen dataclass; exercise: mixed_quiz_3_prepare
from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    logs: bool
    power: int


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))
