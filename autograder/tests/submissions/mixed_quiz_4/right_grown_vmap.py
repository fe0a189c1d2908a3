# right: one taxon at a time, under vmap; exercise: mixed_quiz_4_grown
from functools import partial


def one_taxon(rate, start, years):
    return jax.lax.fori_loop(0, years, lambda i, x: x + rate * x * (1 - x), start)


@partial(jax.jit, static_argnames="years")
def grown(rate, start, years):
    return jax.vmap(lambda r, s: one_taxon(r, s, years))(rate, start)
