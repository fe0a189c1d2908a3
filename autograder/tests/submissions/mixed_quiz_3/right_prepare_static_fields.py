# right: a registered dataclass with static fields; exercise: mixed_quiz_3_prepare
from dataclasses import dataclass, field


@jax.tree_util.register_dataclass
@dataclass
class Options:
    logs: bool = field(metadata=dict(static=True))
    power: int = field(metadata=dict(static=True))


@jax.jit
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))
