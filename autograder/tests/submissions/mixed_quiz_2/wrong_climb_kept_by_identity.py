# wrong: results kept by the identity of the start; exercise: mixed_quiz_2_climb; must fail: purity; says: known
known = {}


@jax.jit
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    start, key = params, (id(params), steps)
    if key not in known:
        for _ in range(steps):
            params = step(params, Y, rate)
        known[key] = start, params
    return known[key][1]
