# attack: check_compilations is replaced, nothing is jitted; exercise: static_reshape; must not gain: compilations
import autograder.sandbox.exercise_observation

autograder.sandbox.exercise_observation.check_compilations = lambda *_, **__: []


def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
