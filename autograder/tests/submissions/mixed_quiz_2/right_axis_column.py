# right: a column within, a vector as result; exercise: mixed_quiz_2_axis
@partial(jax.jit, static_argnames=("turns",))
def principal_axis(Sigma, turns):
    def turn(axis, _):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2)), None

    return jax.lax.scan(turn, jnp.eye(len(Sigma))[:, :1], length=turns)[0][:, 0]
