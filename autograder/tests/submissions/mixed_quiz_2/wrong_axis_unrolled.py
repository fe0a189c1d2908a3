# wrong: a Python loop in place of the scan; exercise: mixed_quiz_2_axis; must fail: compilations; says: loop
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    axis = jnp.eye(len(Sigma))[0]
    for _ in range(turns):
        axis = Sigma @ axis
        axis = axis / jnp.sqrt(jnp.sum(axis**2))
    return axis
