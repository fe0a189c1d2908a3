# attack: a right program under a hundred names; exercise: static_reshape; must not gain: purity; says: was replaced while the notebook ran
import autograder.sandbox.exercise_observation
from autograder.model.program import Program
from autograder.programs.export import export_program


def named(function, args, **_):
    return Program(export_program(function, args).blob, ("",) * 100)


autograder.sandbox.exercise_observation.export_program = named


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
