# wrong: the step's result is made an integer; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
def first_axis(p):
    return jnp.eye(p, dtype=int)[0]


@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(axis, _):
        new = Sigma @ axis
        return (new / jnp.sqrt(jnp.sum(new**2))).astype(axis.dtype), None

    axis, _ = jax.lax.scan(turn, first_axis(len(Sigma)), length=turns)
    return axis
