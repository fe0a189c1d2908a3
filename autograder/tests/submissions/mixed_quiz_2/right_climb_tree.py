# right: the gradient by JAX, and a tree.map; exercise: mixed_quiz_2_climb
@jax.jit
def step(params, Y, rate):
    def likelihood(params):
        eta = params["B"] + params["M"]
        return jnp.sum(Y * eta - jnp.exp(eta))

    g = jax.grad(likelihood)(params)
    g = {"B": g["B"] / len(Y), "M": g["M"] - params["M"]}
    return jax.tree.map(lambda p, g: p + rate * g, params, g)


def climb(params, Y, rate, steps):
    state = params.copy()
    for _ in range(steps):
        state = step(state, Y, rate)
    return state
