# wrong: a new jitted function at each call; exercise: mixed_quiz_2_climb; must fail: compilations; says: new function object each time
def climb(params, Y, rate, steps):
    @jax.jit
    def step(params):
        slope = Y - jnp.exp(params["B"] + params["M"])
        return {
            "B": params["B"] + rate * slope.mean(axis=0),
            "M": params["M"] + rate * (slope - params["M"]),
        }

    for _ in range(steps):
        params = step(params)
    return params
