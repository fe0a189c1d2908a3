"""Data sets: the oaks of the tutorial, and simulated ones.

Arrays are NumPy float32: they are on no device until a computation takes them there, and loading
them starts no JAX backend.
"""

import csv
import functools
from pathlib import Path
from typing import NamedTuple, TypeAlias

import jax
import jax.numpy as jnp
import numpy as np
from numpy.typing import NDArray

Float32: TypeAlias = NDArray[np.float32]

_OAKS = Path(__file__).with_name("oaks")  # with their licence and citation


class Oaks(NamedTuple):
    """Powdery mildew of the oak: bacteria and fungi on leaves (Jakuschkin et al. 2016).

    Attributes:
        Y: counts, (116, 114) float32.
        O: offsets, the log of the sequencing depth, (116, 114) float32.
        X: covariates, (116, d) float32.
        taxa: the 114 column names.
        leaves: what is known of each of the 116 leaves: `tree` (susceptible, intermediate,
            resistant), `distTOground` (cm), `orientation` (SW, NE).
    """

    Y: Float32
    O: Float32
    X: Float32
    taxa: tuple[str, ...]
    leaves: dict[str, NDArray]


class Simulation(NamedTuple):
    """Counts drawn from a PLN model and the parameters they were drawn with.

    Attributes:
        Y, O, X: counts (n, p), offsets (n, p), covariates (n, d), float32.
        B: coefficients, (d, p) float32.
        Sigma: covariance, (p, p) float32.
    """

    Y: Float32
    O: Float32
    X: Float32
    B: Float32
    Sigma: Float32


def load_oaks(covariate: str | None = None) -> Oaks:
    """The tutorial's data, which are part of this package.

    Args:
        covariate: None for an intercept alone (d = 1), or one of `leaves`' names: a categorical
            one gives an intercept and an indicator of every level but the first, a number is
            taken as it is.

    Raises:
        KeyError: no such covariate.

    References:
        Jakuschkin et al. (2016), Deciphering the pathobiome, Microbial Ecology 72.
    """
    taxa, counts = _read_numbers("counts.csv")
    _, depths = _read_numbers("offsets.csv")
    names, rows = _read_csv("covariates.csv")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    leaves = {
        "tree": np.array(columns["tree"]),
        "distTOground": np.array(columns["distTOground"], np.float32),
        "orientation": np.array(columns["orientation"]),
    }
    Y = counts.astype(np.float32)
    # The file holds raw totals of reads; the model's offsets are their logs.
    O = np.log(depths).astype(np.float32)
    ones = np.ones((len(Y), 1), np.float32)
    X = ones if covariate is None else np.hstack([ones, _columns(leaves[covariate])])
    return Oaks(Y, O, X, tuple(taxa), leaves)


def simulate(key: jax.Array, n: int, p: int, d: int) -> Simulation:
    """Draw n samples of p counts from a PLN model with d covariates (0 for none).

    The latent positions have an autoregressive covariance 0.8^|i-j|, offsets are log-depths that
    differ between samples, the first covariate is an intercept. Latent values are capped at 9,
    which keeps counts under about 1e4.

    Args:
        key: a `jax.random.key`.
    """
    keys = jax.random.split(key, 5)
    X = jax.random.normal(keys[0], (n, d)).at[:, :1].set(1.0)
    B = 0.5 * jax.random.normal(keys[1], (d, p)) + 2 * jnp.eye(d, 1)
    O = jnp.broadcast_to(0.5 * jax.random.normal(keys[2], (n, 1)), (n, p))
    index = jnp.arange(p)
    Sigma = 0.8 ** jnp.abs(index[:, None] - index)
    Z = X @ B + jax.random.normal(keys[3], (n, p)) @ jnp.linalg.cholesky(Sigma).T
    Y = jax.random.poisson(keys[4], jnp.exp(jnp.minimum(O + Z, 9.0)))
    return Simulation(*(np.array(a, np.float32) for a in (Y, O, X, B, Sigma)))


def autoregressive_root(p: int) -> NDArray:
    """Cholesky factor (p, p) float64 of the covariance 0.7^|i-j|, which benchmarks draw with."""
    index = np.arange(p)
    return np.linalg.cholesky(0.7 ** np.abs(index[:, None] - index))


@functools.cache
def _read_csv(name: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of one of the oaks' files."""
    header, *rows = csv.reader((_OAKS / name).read_text(encoding="utf-8").splitlines())
    return header, rows


@functools.cache
def _read_numbers(name: str) -> tuple[list[str], NDArray[np.float64]]:
    header, rows = _read_csv(name)
    return header, np.array(rows, np.float64)


def _columns(values: NDArray) -> Float32:
    if values.dtype.kind == "f":
        return values[:, None]
    levels = np.unique(values)
    return (values[:, None] == levels[1:]).astype(np.float32)
