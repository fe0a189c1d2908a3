# right: equality and hash by hand; exercise: mixed_quiz_3_prepare
class Options:
    def __init__(self, logs, power):
        self.logs = logs
        self.power = power

    def __hash__(self):
        return hash((self.logs, self.power))

    def __eq__(self, other):
        return (self.logs, self.power) == (other.logs, other.power)


@partial(jax.jit, static_argnames="options")
def prepared(Y, options):
    values = (jnp.log1p(Y) if options.logs else Y) ** options.power
    return values - values.mean(axis=0)


def prepare(Y, logs, power):
    return prepared(Y, Options(logs, power))
