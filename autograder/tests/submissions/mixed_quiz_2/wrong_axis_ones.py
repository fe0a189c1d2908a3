# wrong: begins with another vector; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    return jax.lax.scan(turn, jnp.ones(len(Sigma)), length=turns)[0]
