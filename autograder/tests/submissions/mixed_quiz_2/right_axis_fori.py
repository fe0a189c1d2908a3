# right: fori_loop, begun with a product; exercise: mixed_quiz_2_axis
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    def turn(_, axis):
        axis = axis @ Sigma
        return axis / jnp.linalg.norm(axis)

    start = (jnp.arange(len(Sigma)) == 0).astype(Sigma.dtype)
    return jax.lax.fori_loop(0, turns, turn, start)
