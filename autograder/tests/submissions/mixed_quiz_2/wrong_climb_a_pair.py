# wrong: a pair in place of the dictionary; exercise: mixed_quiz_2_climb; must fail: outputs; says: result['B']
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = step(params, Y, rate)
    return params["B"], params["M"]
