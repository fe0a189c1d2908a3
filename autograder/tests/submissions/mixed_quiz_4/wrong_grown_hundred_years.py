# wrong: a hundred years at most, the later ones masked; exercise: mixed_quiz_4_grown; must fail: outputs; says: expected
@jax.jit
def grown(rate, start, years):
    def year(x, i):
        return jnp.where(i < years, x + rate * x * (1 - x), x), None

    return jax.lax.scan(year, start, jnp.arange(100))[0]
