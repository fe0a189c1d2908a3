# wrong: the step returns, and nobody takes it; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    params["B"] = params["B"] + rate * slope.mean(axis=0)
    params["M"] = params["M"] + rate * (slope - params["M"])
    return params


def climb(params, Y, rate, steps):
    for _ in range(steps):
        step(params, Y, rate)
    return params
