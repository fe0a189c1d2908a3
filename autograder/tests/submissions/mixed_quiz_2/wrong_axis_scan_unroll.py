# wrong: a scan that unrolls all its turns; exercise: mixed_quiz_2_axis; must fail: compilations; says: unroll
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    axis, _ = jax.lax.scan(turn, jnp.eye(len(Sigma))[0], length=turns, unroll=True)
    return axis
