# right: a while_loop that ends at the first NaN, and an error that names the leaf; exercise: debugging_nan
@jax.jit
def _fit(Y, O, rate):
    def cond(s):
        i, _, total = s
        return (i < len(Y)) & ~jnp.isnan(total)

    def body(s):
        i, b, total = s
        loss, slope = jax.value_and_grad(poisson_loss)(b, Y[i], O[i])
        return i + 1, b - rate * slope, total + loss

    i, b, total = lax.while_loop(cond, body, (0, jnp.zeros_like(Y[0]), jnp.float32(0)))
    return i, b, total / len(Y)


def fit(Y, O, rate):
    i, b, loss = _fit(Y, O, rate)
    if np.isnan(loss):
        raise FloatingPointError(f"leaf {int(i) - 1} has a bad loss")
    return b, loss
