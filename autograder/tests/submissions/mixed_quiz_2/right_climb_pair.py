# right: the step takes and returns a pair; exercise: mixed_quiz_2_climb
@jax.jit
def step(B, M, Y, rate):
    slope = Y - jnp.exp(B + M)
    return B + rate * slope.mean(axis=0), M + rate * (slope - M)


def climb(params, Y, rate, steps):
    B, M = params["B"], params["M"]
    for _ in range(steps):
        B, M = step(B, M, Y, rate)
    return {"B": B, "M": M}
