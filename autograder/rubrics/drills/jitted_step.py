"""Drills of the lesson `jitted_step`: arguments, gradients, and arrays that do not change."""

from __future__ import annotations

import numpy as np

from autograder.rubrics.drills._drill import PROGRAM, counts, make_drill, make_rubric


def draw_sites(rng: np.random.Generator) -> list[tuple]:
    return [(rng.normal(size=(n, 3)).astype(np.float32),) for n in (6, 1500)]


def pair_similarity(X: np.ndarray) -> np.ndarray:
    return np.sum((X.T @ X) ** 2)


def draw_logs(rng: np.random.Generator) -> list[tuple]:
    shapes = ((5, 4), (5, 4), (3, 2))
    return [
        (rng.normal(size=shape).astype(np.float32), np.float32(rng.normal())) for shape in shapes
    ]


def fix_first_row(M: np.ndarray, value: np.ndarray) -> np.ndarray:
    return np.vstack([np.full_like(M[:1], value), M[1:]])


def draw_rates(rng: np.random.Generator) -> list[tuple]:
    return [(counts(rng, n), np.float32(rng.uniform(1, 9))) for n in (6, 6, 9)]


def slope_in_rate(counts: np.ndarray, rate: np.ndarray) -> np.ndarray:
    return np.sum(counts) / rate - len(counts)


def draw_params(rng: np.random.Generator) -> list[tuple]:
    def draw() -> dict[str, np.ndarray]:
        shapes = {"B": (2, 3), "M": (5, 3)}
        return {name: rng.normal(size=s).astype(np.float32) for name, s in shapes.items()}

    return [(draw(), draw(), float(rng.uniform(0.1, 1))) for _ in range(2)]


def climb(
    params: dict[str, np.ndarray], gradient: dict[str, np.ndarray], rate: float
) -> dict[str, np.ndarray]:
    return {name: params[name] + rate * gradient[name] for name in params}


rubric = make_rubric(
    "jitted_step",
    make_drill(
        "fix_first_row",
        "JAX arrays never change. `M.at[0].set(value)` returns a new one.",
        draws=draw_logs,
        reference=fix_first_row,
    ),
    make_drill(
        "slope_in_rate",
        "`jax.grad` differentiates with respect to the first argument, unless `argnums` names "
        "another.",
        draws=draw_rates,
        reference=slope_in_rate,
    ),
    make_drill(
        "climb",
        "Make a new dictionary, and leave the one that came in as it is.",
        draws=draw_params,
        reference=climb,
        programs=2,  # one for each shape that it holds
    ),
    make_drill(
        "pair_similarity",
        "`X.T @ X` has a row and a column for each covariate, and there are few.",
        draws=draw_sites,
        reference=pair_similarity,
        criteria=(*PROGRAM, "memory"),
        scratch=2**18,
        minutes=3,
        difficulty="easy",
    ),
)
