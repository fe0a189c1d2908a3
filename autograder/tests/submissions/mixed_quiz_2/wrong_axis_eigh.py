# wrong: the limit, not so many turns; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    axis = jnp.linalg.eigh(Sigma)[1][:, -1]
    return axis * jnp.sign(axis[0])
