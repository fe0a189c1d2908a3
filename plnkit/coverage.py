"""Do the standard errors hold what they promise? Intervals against truths, and the bootstrap.

Coverage: the share of 95% intervals that hold the coefficient the counts were drawn with. The
bootstrap draws the samples of the oaks anew, with replacement, fits each draw and takes the
deviation of the coefficients.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import jax
import numpy as np
from numpy.typing import NDArray

from plnkit.data import autoregressive_root, load_oaks
from plnkit.fitting import fit
from plnkit.machine import environment

LEVEL = 0.95
Progress = Callable[[str], None]


class Setting(NamedTuple):
    """Where intervals are tried: n samples, p taxa, d covariates, mean log count."""

    n: int
    p: int
    d: int
    mean: float

    def __str__(self) -> str:
        return "n={}, p={}, d={}, mean log count {:g}".format(*self)


class Simulated(NamedTuple):
    """Counts Y (n, p), log offsets O (n, p), covariates X (n, d), latent positions Z (n, p)."""

    Y: NDArray
    O: NDArray
    X: NDArray
    Z: NDArray


SETTINGS = (
    Setting(100, 10, 2, 2.0),
    Setting(300, 10, 2, 0.0),
    Setting(300, 10, 2, 2.0),
    Setting(1000, 10, 2, 0.0),
    Setting(300, 30, 3, 1.0),
    Setting(1000, 30, 3, 1.0),
)


def measure_coverage(
    data_sets: int = 500, bootstraps: int = 500, progress: Progress = lambda what: None
) -> dict[str, Any]:
    """Coverage in each of `SETTINGS`, and the oaks' errors against the bootstrap's.

    Args:
        data_sets: drawn in each setting.
        bootstraps: of the oaks.

    Returns:
        `environment`, `coverage` by setting, and `bootstrap`.
    """
    coverage = try_each(SETTINGS, cover, data_sets, progress)
    command = f"plnkit bench --coverage ({data_sets} data sets, {bootstraps} bootstraps)"
    return {
        "schema": 1,
        "environment": environment(jax.devices()[0], command),
        "coverage": coverage,
        "bootstrap": compare_with_bootstrap(bootstraps, progress),
    }


def try_each(
    settings: Sequence[Setting],
    measure: Callable[[Setting, int, Progress], Any],
    data_sets: int,
    progress: Progress,
) -> dict[str, Any]:
    """Return what is measured in each setting, with so many data sets, by its name."""
    return {
        name: measure(setting, data_sets, lambda what, name=name: progress(name + what))
        for name, setting in zip(map(str, settings), settings, strict=True)
    }


def cover(setting: Setting, data_sets: int, progress: Progress) -> dict[str, Any]:
    """The share of intervals that hold the truth, of intercepts and of the other coefficients."""
    n, p, d, _ = setting
    r = np.random.default_rng(setting[:3])
    B, root = draw_model(r, setting)
    hits, deviations, errors, zeros = [], [], [], []
    for k in range(data_sets):
        progress(f": data set {k + 1} of {data_sets}")
        Y, O, X, _ = draw(r, n, B, root)
        fitted = fit(Y, O=O, X=X)
        found = fitted.coefficient_table(LEVEL)
        truth = B.ravel()
        hits.append(((found.low <= truth) & (truth <= found.high)).to_numpy().reshape(d, p))
        deviations.append(fitted.parameters.B - B)
        errors.append(found.standard_error.to_numpy().reshape(d, p))
        zeros.append(np.mean(Y == 0))
    share = np.mean(hits, axis=(0, 2))
    ratio = np.mean(errors, axis=0) / np.std(deviations, axis=0)
    return {
        "data_sets": data_sets,
        "zeros": float(np.mean(zeros)),
        "all": float(np.mean(hits)),
        "intercepts": float(share[0]),
        "others": float(share[1:].mean()),
        "error_over_deviation": float(np.median(ratio)),
    }


def draw_model(r: np.random.Generator, setting: Setting) -> tuple[NDArray, NDArray]:
    """Coefficients (d, p), and a root (p, p) of the covariance, 0.7^|i-j|."""
    _, p, d, mean = setting
    B = 0.4 * r.normal(size=(d, p))
    B[0] += mean
    return B, autoregressive_root(p)


def draw(r: np.random.Generator, n: int, B: NDArray, root: NDArray) -> Simulated:
    """Counts of n samples, with offsets and covariates, in which no taxon is missing."""
    d, p = B.shape
    while True:
        X = np.hstack([np.ones((n, 1)), r.normal(size=(n, d - 1))])
        O = np.repeat(0.3 * r.normal(size=(n, 1)), p, axis=1)
        Z = X @ B + r.normal(size=(n, p)) @ root.T
        Y = r.poisson(np.exp(O + Z))
        if (Y.sum(axis=0) > 0).all():
            return Simulated(Y, O, X, Z)


def compare_with_bootstrap(bootstraps: int, progress: Progress) -> dict[str, Any]:
    """The oaks' standard errors over the bootstrap's deviations: quartiles over taxa."""
    (Y, O, X, *_), r = load_oaks(), np.random.default_rng(0)
    errors = fit(Y, O=O, X=X).standard_errors.to_numpy().ravel()
    found = []
    while len(found) < bootstraps:
        progress(f"oaks: bootstrap {len(found) + 1} of {bootstraps}")
        rows = r.integers(len(Y), size=len(Y))
        if (Y[rows].sum(axis=0) > 0).all():
            found.append(fit(Y[rows], O=O[rows], X=X[rows]).parameters.B.ravel())
    ratios = errors / np.std(found, axis=0, ddof=1)
    quartiles = np.quantile(ratios, (0.25, 0.5, 0.75))
    return {"bootstraps": bootstraps, "error_over_bootstrap": [float(q) for q in quartiles]}


def table(result: dict[str, Any]) -> list[tuple[str, ...]]:
    """The coverage as text, header first, with the bootstrap in the last row."""
    lines: list[tuple[str, ...]] = [
        ("data", "zeros", "intercepts", "others", "all", "error / deviation")
    ]
    for name, one in result["coverage"].items():
        shares = [f"{one[key]:.1%}" for key in ("zeros", "intercepts", "others", "all")]
        lines.append((name, *shares, f"{one['error_over_deviation']:.2f}"))
    low, middle, high = result["bootstrap"]["error_over_bootstrap"]
    lines.append(
        ("oaks, against the bootstrap", "", "", "", "", f"{middle:.2f} ({low:.2f} to {high:.2f})")
    )
    return lines
