# wrong: a Python loop over a jitted turn, all under jit; exercise: mixed_quiz_2_axis; must fail: compilations; says: loop
@jax.jit
def turn(Sigma, axis):
    axis = Sigma @ axis
    return axis / jnp.sqrt(jnp.sum(axis**2))


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    axis = jnp.eye(len(Sigma))[0]
    for _ in range(turns):
        axis = turn(Sigma, axis)
    return axis
