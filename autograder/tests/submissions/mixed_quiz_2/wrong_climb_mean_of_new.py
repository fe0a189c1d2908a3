# wrong: M climbs from the new B; exercise: mixed_quiz_2_climb; must fail: outputs; says: expected
@jax.jit
def step(params, Y, rate):
    B, M = params["B"], params["M"]
    B = B + rate * (Y - jnp.exp(B + M)).mean(axis=0)
    M = M + rate * (Y - jnp.exp(B + M) - M)
    return {"B": B, "M": M}


def climb(params, Y, rate, steps):
    for _ in range(steps):
        params = step(params, Y, rate)
    return params
