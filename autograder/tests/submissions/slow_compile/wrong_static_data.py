# wrong: the data are a static argument; exercise: slow_compile; must fail: compilations; says: another one
class Held:
    def __init__(self, Y, O):
        self.Y, self.O = Y, O


@partial(jax.jit, static_argnames=("held", "n_iterations"))
def run(held, rate, n_iterations):
    def body(carry, _):
        M, log_S, elbo = step(*carry, held.Y, held.O, rate)
        return (M, log_S), elbo

    zeros = jnp.zeros(held.Y.shape)
    (M, log_S), elbos = jax.lax.scan(body, (zeros, zeros), length=n_iterations)
    return M, log_S, elbos


def fit(Y, O, rate, n_iterations):
    return run(Held(Y, O), rate, n_iterations)
