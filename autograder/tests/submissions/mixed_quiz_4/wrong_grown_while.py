# wrong: a while_loop with a static bound; exercise: mixed_quiz_4_grown; must fail: outputs; says: everse-mode differentiation
from functools import partial


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    def year(state):
        i, x = state
        return i + 1, x + rate * x * (1 - x)

    return jax.lax.while_loop(lambda state: state[0] < years, year, (0, start))[1]
