# wrong: nobody counts beyond 100 years; exercise: mixed_quiz_4_grown; must fail: outputs; says: 130): result.value
@jax.jit
def grown(rate, start, years):
    def body(x, year):
        return jnp.where(year < years, x + rate * x * (1 - x), x), None

    return jax.lax.scan(body, start, jnp.arange(100))[0]
