"""The model of the lessons: parameters in a dictionary, and a start near the counts.

`plnkit.model` holds the model as the kit fits it. Here it is as the lessons jit it: short functions
of arrays, and the picture that each lesson improves, the ELBO against seconds.

    from plnkit.course import best_Omega, loss, optimizer, start

Parameters are ``{"B": (d, p), "M": (n, p), "log_S": (n, p)}``, with the model of `plnkit.model`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import optax
from jax import Array
from jax.scipy.special import gammaln
from jax.typing import ArrayLike

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Params = dict[str, Array]

optimizer = optax.adam(0.2)
"""Of all the lessons' fits."""

BEST = -32026
"""The highest ELBO of the oaks, with an intercept as their only covariate, in whole nats."""

LEVELS = Path(__file__).with_name("course_levels.json")
"""What `plot_progress` draws beside a fit; `measure` makes it."""


def elbo(params: Params, Omega: Array, Y: ArrayLike, O: ArrayLike, X: ArrayLike) -> Array:
    """Return the ELBO in nats, a scalar.

    Args:
        params: see the top of this file.
        Omega: precision, (p, p).
        Y, O, X: counts (n, p), offsets (n, p), covariates (n, d).
    """
    Y, X = jnp.asarray(Y), jnp.asarray(X)
    n, p = Y.shape
    M, log_S = params["M"], params["log_S"]
    eta = O + X @ params["B"] + M
    S2 = jnp.exp(2 * log_S)
    entries = Y * eta - jnp.exp(eta + S2 / 2) + log_S - gammaln(Y + 1)
    R = M.T @ M + jnp.diag(S2.sum(axis=0))
    log_det = jnp.linalg.slogdet(Omega)[1]
    return entries.sum() + n / 2 * (p + log_det) - jnp.sum(R * Omega) / 2


def loss(params: Params, Omega: Array, Y: ArrayLike, O: ArrayLike, X: ArrayLike) -> Array:
    """Return minus the ELBO, which an optimizer makes smaller."""
    return -elbo(params, Omega, Y, O, X)


def best_Omega(params: Params) -> Array:
    """Return the precision (p, p) that makes the ELBO highest, the other parameters kept."""
    M, S2 = params["M"], jnp.exp(2 * params["log_S"])
    return jnp.linalg.inv((M.T @ M + jnp.diag(S2.sum(axis=0))) / M.shape[0])


@jax.jit
def start(Y: ArrayLike, O: ArrayLike, X: ArrayLike) -> tuple[Params, Array]:
    """Return parameters near the counts, and the best precision for them.

    B is the least-squares fit of log(Y + 1) - O, with a little ridge; M is what it leaves, and S
    is about the deviation of a Poisson count on the log scale.
    """
    Y, X = jnp.asarray(Y), jnp.asarray(X)
    logs = jnp.log(Y + 1) - O
    B = jnp.linalg.solve(X.T @ X + 0.01 * jnp.eye(X.shape[1], dtype=X.dtype), X.T @ logs)
    params = {"B": B, "M": logs - X @ B, "log_S": -jnp.log(Y + 1) / 2}
    return params, best_Omega(params)


def largest(updates: Any) -> Array:
    """Return the largest change of any parameter, a scalar."""
    return jnp.max(jnp.array([jnp.abs(u).max() for u in jax.tree.leaves(updates)]))


@cache
def _levels() -> dict[str, Any]:
    return json.loads(LEVELS.read_text(encoding="utf-8"))


def plot_progress(
    name: str = "", seconds: float = 0.0, elbos: Sequence[float] | ArrayLike = ()
) -> Figure:
    """Draw how far a fit of the oaks is from the best ELBO, against seconds, beside the levels.

    The levels were measured elsewhere: `python -m plnkit.course` measures them on this machine.

    Args:
        name: of your own fit; "" draws the levels alone.
        seconds: that your fit took, with its compilation.
        elbos: before each of its iterations.
    """
    from plnkit.plots.canvas import new_figure

    figure, (axis,) = new_figure([7.5])
    known = _levels()
    gaps = jnp.maximum(BEST - jnp.asarray(known["elbos"]), 1)
    steps = jnp.linspace(0, known["iterations"], gaps.size)
    for style, (level, one) in zip((":", "--", "-."), known["levels"].items(), strict=True):
        times = one["first_seconds"] + steps * one["iteration_seconds"]
        axis.loglog(times, gaps, style, color="0.5", label=level)
    if name:
        own = jnp.maximum(BEST - jnp.asarray(elbos), 1)
        axis.loglog(seconds * jnp.linspace(0.01, 1, own.size), own, linewidth=2.5, label=name)
    axis.set(xlabel="seconds, compilation included", ylabel="nats below the best ELBO")
    axis.legend()
    return figure


def measure(iterations: int = 1000) -> dict[str, Any]:
    """Time the three levels on the oaks; return what `plot_progress` draws."""
    import time

    from plnkit import load_oaks

    oaks = load_oaks()
    Y, O, X = jnp.asarray(oaks.Y), jnp.asarray(oaks.O), jnp.asarray(oaks.X)

    def step(carry: Any, _: Any = None) -> tuple[Any, Array]:
        params, Omega, state = carry
        value, gradient = jax.value_and_grad(loss)(params, Omega, Y, O, X)
        updates, state = optimizer.update(gradient, state)
        moved: Any = optax.apply_updates(params, updates)
        return (moved, best_Omega(moved), state), -value

    def in_python(one_step: Any, carry: Any, length: int) -> Array:
        kept = []
        for _ in range(length):
            carry, value = one_step(carry)
            kept.append(value)
        return jax.block_until_ready(jnp.stack(kept))

    @jax.jit
    def in_program(carry: Any) -> Array:
        return jax.lax.scan(step, carry, length=iterations)[1]

    params, Omega = start(Y, O, X)
    begin = params, Omega, optimizer.init(params)
    few = max(2, iterations // 20)
    jitted = jax.jit(step)
    ways = {
        "no JIT": (lambda: in_python(step, begin, few), few),
        "one jitted step": (lambda: in_python(jitted, begin, iterations), iterations),
        "scan in jit": (lambda: jax.block_until_ready(in_program(begin)), iterations),
    }
    levels, elbos = {}, jnp.zeros(0)
    for name, (run, length) in ways.items():
        times = []
        for _ in range(3):
            began = time.perf_counter()
            elbos = run()
            times.append(time.perf_counter() - began)
        later = min(times[1:])
        levels[name] = {"first_seconds": times[0] - later, "iteration_seconds": later / length}
    kept = [round(float(value), 1) for value in elbos[:: max(1, iterations // 100)]]
    return {"schema": 1, "iterations": iterations, "elbos": kept, "levels": levels}


if __name__ == "__main__":
    LEVELS.write_text(json.dumps(measure(), indent=1) + "\n", encoding="utf-8")
    print(LEVELS)
