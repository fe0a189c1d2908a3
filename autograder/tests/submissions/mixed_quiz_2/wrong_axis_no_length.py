# wrong: not made one long; exercise: mixed_quiz_2_axis; must fail: outputs; says: expected
@partial(jax.jit, static_argnames="turns")
def principal_axis(Sigma, turns):
    return jax.lax.scan(lambda axis, _: (Sigma @ axis, None), jnp.eye(len(Sigma))[0], length=turns)[
        0
    ]
