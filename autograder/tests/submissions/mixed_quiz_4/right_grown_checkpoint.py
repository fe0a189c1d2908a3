# right: a scan that keeps only the states; exercise: mixed_quiz_4_grown
from functools import partial


@partial(jax.jit, static_argnames=("years",))
def grown(rate, start, years):
    @jax.checkpoint
    def year(x, _):
        return x + rate * x * (1 - x), ()

    end, _ = jax.lax.scan(year, start, length=years)
    return end
