# wrong: only the slope is jitted, the steps along it are not; exercise: mixed_quiz_2_climb; must fail: compilations; says: outside
@jax.jit
def slope_at(params, Y):
    return Y - jnp.exp(params["B"] + params["M"])


def climb(params, Y, rate, steps):
    for _ in range(steps):
        slope = slope_at(params, Y)
        params = {
            "B": params["B"] + rate * slope.mean(axis=0),
            "M": params["M"] + rate * (slope - params["M"]),
        }
    return params
