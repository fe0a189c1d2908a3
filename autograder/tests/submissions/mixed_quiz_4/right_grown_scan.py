# right: a scan; exercise: mixed_quiz_4_grown
from functools import partial


@partial(jax.jit, static_argnums=2)
def grown(rate, start, years):
    def year(x, _):
        return x * (1 + rate * (1 - x)), None

    return jax.lax.scan(year, start, None, length=years)[0]
