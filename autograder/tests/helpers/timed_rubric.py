"""A rubric whose speed is quickly measured, and submissions for it."""

RUBRIC = """
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from autograder import Loop, ProgramExercise, Rubric, Speed


def reference(x, n):
    for _ in range(n):
        x = np.sin(x) * 2
    return x


def slow(x, n):  # ten times the work
    step = lambda i, x: lax.fori_loop(0, 10, lambda j, y: jnp.sin(x) * 2, x)
    return lax.fori_loop(0, n, step, x)


rubric = Rubric(
    "loops",
    (
        ProgramExercise(
            name="repeat",
            draws=lambda rng: [(rng.normal(size=4).astype(np.float32), n) for n in (1, 3)],
            reference=reference,
            speed=Speed(
                baseline=slow,
                threshold=3.0,
                draw=lambda rng: (rng.normal(size=20_000).astype(np.float32), 20),
                baseline_iterations=4,
            ),
            points={"outputs": 2, "compilations": 1, "speed": 3},
            loop=Loop(1),
        ),
    ),
)
"""
RIGHT = """
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.jit, static_argnums=1)
def repeat(x, n):
    return jax.lax.fori_loop(0, n, lambda i, x: jnp.sin(x) * 2, x)
"""
UNROLLED = """
import jax, jax.numpy as jnp
from functools import partial
@partial(jax.jit, static_argnums=1)
def repeat(x, n):
    for _ in range(n):
        x = jnp.sin(x) * 2
    return x
"""
