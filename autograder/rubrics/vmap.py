"""Lesson `vmap`: a function of one row, mapped over all rows in one program."""

from __future__ import annotations

import numpy as np

from autograder.model.exercise import Compilations, Loop, ProgramExercise
from autograder.model.rubric import Rubric
from autograder.rubrics._draws import LARGER, data, large_table, sparse_counts


def _table(rng: np.random.Generator, n: int, p: int) -> np.ndarray:
    """Counts, among them zeros where there are several species; no leaf is without any."""
    table = sparse_counts(rng, n, p)
    table[:, -1] += rng.integers(1, 9, size=n)
    return table


def tables(rng: np.random.Generator) -> list[tuple]:
    """Tables of some shapes with orders from 0 on; one leaf, one species, equal counts.

    A table comes with two orders, and one is larger than the oaks.
    """
    first, large = _table(rng, 6, 4), large_table(rng)
    large[:, -1] += 1
    equal = np.full((6, 4), rng.integers(1, 90), np.float32)
    return [
        (first, 2),
        (_table(rng, 6, 4), 2),
        (first.copy(), 1),
        (_table(rng, 6, 4), 1),
        (_table(rng, 6, 4), 0),
        (_table(rng, 5, 5), int(rng.integers(3, 5))),
        (_table(rng, 1, 7), 2),
        (_table(rng, 7, 1), 1),
        (large, 2),
        (equal, 0),
    ]


def many_leaves(rng: np.random.Generator) -> list[tuple]:
    """Some leaves, and several times as many."""
    few, times = 12, int(rng.integers(5, 7))
    return [(_table(rng, n, 3), 2) for n in (few, times * few)]


def diversities(counts: np.ndarray, order: int) -> np.ndarray:
    """The effective number of species of each leaf."""
    shares = counts / counts.sum(axis=1, keepdims=True)
    seen = shares > 0
    if order == 1:
        logs = np.log(np.where(seen, shares, 1))
        return np.exp(-(shares * logs).sum(axis=1))
    return np.where(seen, shares**order, 0).sum(axis=1) ** (1 / (1 - order))


def fitted(rng: np.random.Generator) -> list[tuple]:
    """Counts, offsets, covariates and coefficients; as many leaves as species as covariates; one.

    Counts come again with other offsets, and one table is larger than the oaks.
    """

    def draw(n: int, p: int, d: int) -> tuple:
        Y, O, X = data(rng, n, p, d)
        return Y, O, X, rng.normal(scale=0.4, size=(d, p)).astype(np.float32)

    calls = [draw(6, 4, 2), draw(6, 4, 2), draw(5, 5, 5), draw(1, 1, 1), draw(3, 7, 1)]
    Y, O, X, B = draw(*LARGER, 2)
    calls.append((large_table(rng), O, X, B))
    return [*calls, (calls[0][0].copy(), *draw(6, 4, 2)[1:]), (np.full_like(Y, 2.0), O, X, B)]


def residuals(Y: np.ndarray, O: np.ndarray, X: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Pearson's residuals of a Poisson model."""
    expected = np.exp(O + X @ B)
    return (Y - expected) / np.sqrt(expected)


rubric = Rubric(
    lesson="vmap",
    learned="vmap with jit: one program for all rows, in_axes, what becomes of cond",
    minutes=30,
    exercises=(
        ProgramExercise(
            name="vmap",
            minutes=4,
            difficulty="easy",
            importance=3,
            entry_points=("diversities",),
            draws=tables,
            reference=diversities,
            points={"outputs": 2, "purity": 1, "compilations": 3},
            loop=Loop(1, many_leaves),
            compilations=Compilations(one_function=True),
        ),
        ProgramExercise(
            name="vmap_axes",
            minutes=4,
            difficulty="medium",
            importance=2,
            entry_points=("residuals",),
            draws=fitted,
            reference=residuals,
            points={"outputs": 3, "purity": 1, "compilations": 1},
            compilations=Compilations(one_function=True),
        ),
    ),
)
