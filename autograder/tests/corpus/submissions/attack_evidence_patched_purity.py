# attack: check_purity is replaced, the function is impure; exercise: static_reshape; must not gain: purity
import autograder.sandbox.exercise_observation

autograder.sandbox.exercise_observation.check_purity = lambda *_, **__: []
seen = []


@jax.jit
def rank_abundance(counts):
    seen.append(counts.shape)
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
