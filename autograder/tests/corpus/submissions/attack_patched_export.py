# attack: jax.export gives a program of constants; exercise: static_reshape; must not gain: outputs; says: values differ
import numpy as np
from autograder.rubrics.static_reshape import rubric

exercise = rubric.exercises[0]
known = {a.shape: exercise.reference(a) for (a,) in exercise.calls(0)}
genuine = jax.export.export


def export(_, **options):
    return lambda spec: genuine(
        jax.jit(lambda x: (jnp.asarray(known[x.shape]),), keep_unused=True), **options
    )(spec)


jax.export.export = export


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
