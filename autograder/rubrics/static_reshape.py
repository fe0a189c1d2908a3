"""Lesson `static_reshape`: shapes are static; compute them with NumPy, math or -1."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations, ProgramExercise
from autograder.model.rubric import Rubric


def draws(rng: np.random.Generator) -> list[tuple]:
    """Tables of one axis to four, zeros in most of them; one has more cells than the oaks."""

    def counts(*shape: int) -> np.ndarray:
        drawn = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
        drawn.flat[0] = 0.0
        drawn.flat[-1] = rng.integers(1, 90)
        return drawn

    first, equal = counts(4, 3), np.full((4, 3), rng.integers(1, 90), np.float32)
    others = [counts(*s) for s in ((3, 2, 4), (1, 1), (13500,), (2, 1, 3, 2))]
    return [(table,) for table in (first, equal, *others, first.copy())]


def rank_abundance(counts: np.ndarray) -> np.ndarray:
    """Shares of all cells of the table, the largest first."""
    return np.sort((counts / counts.sum()).reshape(-1))[::-1]


rubric = Rubric(
    lesson="static_reshape",
    exercises=(
        ProgramExercise(
            name="static_reshape",
            minutes=5,
            difficulty="easy",
            entry_points=("rank_abundance",),
            draws=draws,
            reference=rank_abundance,
            points={"outputs": 4, "purity": 2, "compilations": 3},
            hints={
                "outputs": (
                    "Is every cell there, as often as in the table? Zeros count, and so do "
                    "equal counts.",
                    "Shares are counts divided by their total, for all cells together. They are "
                    "sorted, the largest first.",
                    "`jnp.sort(shares.reshape(-1), descending=True)`.",
                ),
                "traced-shape": (
                    "The formula is right; only the size that is given to `reshape` is not.",
                    "`jnp` turns the shape into a tracer. Compute the size without it: in Python, "
                    "with NumPy, or not at all.",
                    "`shares.reshape(-1)`, or `shares.reshape(math.prod(counts.shape))`.",
                ),
                "wrong-size": (
                    "The check calls the function with tables of other shapes than the oaks.",
                    "Nothing about the shape may be written down, not even that there are two "
                    "axes.",
                    "`shares.reshape(-1)` works for any shape.",
                ),
                "purity": (
                    "A pure function only computes its result from its arguments.",
                    "Nothing may be left behind: no global, no list of shapes seen; and the "
                    "caller's table stays usable (no donation).",
                    "Remove `global`, `append` and `donate_argnums`: `counts` in, sorted shares "
                    "out.",
                ),
                "compilations": (
                    "Shares, reshape and sort belong in one jitted function.",
                    "Put `@jax.jit` on `rank_abundance` itself and nowhere inside of it.",
                    "`@jax.jit` directly above `def rank_abundance(counts):`, and all three lines "
                    "below it.",
                ),
            },
            compilations=Compilations(one_function=True),
        ),
    ),
    learned="shapes are static: `x.size`, `math.prod`, NumPy on shapes, -1; not hard-coded",
    minutes=15,
)
