# right: a copy is changed, and returned; exercise: mixed_quiz_2_climb
@jax.jit
def step(params, Y, rate):
    params = dict(params)
    slope = Y - jnp.exp(params["B"] + params["M"])
    params["B"] = params["B"] + rate * slope.mean(axis=0)
    params["M"] = params["M"] + rate * (slope - params["M"])
    return params


def climb(params, Y, rate, steps):
    new = params
    for _ in range(steps):
        new = step(new, Y, rate)
    return new
