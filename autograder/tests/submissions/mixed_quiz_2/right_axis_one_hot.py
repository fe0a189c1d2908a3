# right: one_hot, turns as a traced number; exercise: mixed_quiz_2_axis
@jax.jit
def principal_axis(Sigma, turns):
    def turn(i, axis):
        axis = Sigma @ axis
        return axis / jnp.sqrt(jnp.sum(axis**2))

    return jax.lax.fori_loop(0, turns, turn, jax.nn.one_hot(0, Sigma.shape[0]))
