# right: a while_loop, turns traced; exercise: mixed_quiz_2_axis
@jax.jit
def principal_axis(Sigma, turns):
    def go(s):
        return s[0] < turns

    def turn(s):
        a = Sigma @ s[1]
        return s[0] + 1, a / jnp.linalg.norm(a)

    return jax.lax.while_loop(go, turn, (0, jnp.eye(len(Sigma))[0]))[1]
