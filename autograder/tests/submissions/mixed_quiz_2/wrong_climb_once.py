# wrong: every step begins at the start; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    new = params
    for _ in range(steps):
        new = step(params, Y, rate)
    return new
