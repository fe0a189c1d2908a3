# right: the carry remembers the first bad leaf, in a fori_loop; exercise: debugging_nan
@jax.jit
def run(Y, O, rate):
    def step(i, carry):
        b, total, first = carry
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        first = jnp.where(jnp.isnan(loss) & (first < 0), i, first)
        return b - rate * slope, total + loss, first

    b, total, first = lax.fori_loop(0, len(Y), step, (jnp.zeros_like(Y[0]), 0.0, -1))
    return (b, total / len(Y)), first


def fit(Y, O, rate):
    result, first = run(Y, O, rate)
    if first >= 0:
        raise RuntimeError(f"NaN from leaf {first} on")
    return result
