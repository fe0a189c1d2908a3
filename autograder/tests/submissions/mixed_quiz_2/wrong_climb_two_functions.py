# wrong: two jitted functions for a step; exercise: mixed_quiz_2_climb; must fail: compilations; says: compiled 2 programs
@jax.jit
def slope_at(params, Y):
    return Y - jnp.exp(params["B"] + params["M"])


@jax.jit
def along(params, slope, rate):
    return {
        "B": params["B"] + rate * slope.mean(axis=0),
        "M": params["M"] + rate * (slope - params["M"]),
    }


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = along(params, slope_at(params, Y), rate)
    return params
