# wrong: jit taken away, and the caller's dictionary changed; exercise: mixed_quiz_2_climb; must fail: purity, compilations; says: params['B']
def step(params, Y, rate):
    slope = Y - jnp.exp(params["B"] + params["M"])
    params["B"] = params["B"] + rate * slope.mean(axis=0)
    params["M"] = params["M"] + rate * (slope - params["M"])


def climb(params, Y, rate, steps):
    for _ in range(steps):
        step(params, Y, rate)
    return params
