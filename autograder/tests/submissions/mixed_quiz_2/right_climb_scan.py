# right: one program with a scan; exercise: mixed_quiz_2_climb
@partial(jax.jit, static_argnames="steps")
def climb(params, Y, rate, steps):
    def step(params, _):
        slope = Y - jnp.exp(params["B"] + params["M"])
        ascent = {"B": slope.mean(axis=0), "M": slope - params["M"]}
        return jax.tree.map(lambda x, a: x + rate * a, params, ascent), None

    return jax.lax.scan(step, params, length=steps)[0]
