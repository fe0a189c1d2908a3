# wrong: writes into the caller's dictionary; exercise: mixed_quiz_2_climb; must fail: purity; says: params['B']
@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params.update(step(params, Y, rate))
    return params
