"""Where an iteration's time goes: each piece in a loop of its own, and the floor of bytes."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import Array

from plnkit.machine import Device, median_seconds
from plnkit.model import covariance, precision, total

# (n, p) arrays that an iteration must read and write at least once each. Adam's level: M, log S,
# two moments of each, in and out; Y and O in. The solver: point, gradient, inverse curvature, last
# move and change of gradient (two arrays each), in and out; Y and base in.
ARRAYS_MOVED = {"ladder": 8 + 6, "solver": 12 + 10}
LENGTH = 200


def floor_seconds(which: str, n: int, p: int, bytes_per_second: float) -> float:
    """The least an iteration can take: float32 bytes that must move over the bandwidth."""
    return ARRAYS_MOVED[which] * n * p * 4 / bytes_per_second


def time_pieces(n: int, p: int, device: Device, repeats: int = 5) -> dict[str, float]:
    """Microseconds of each piece of an iteration, data (n, p)."""
    with jax.default_device(device):
        M = 0.1 * jax.random.normal(jax.random.key(0), (n, p))
        Sigma = covariance(M, jnp.zeros((n, p))) + jnp.eye(p)
        with jax.default_matmul_precision("highest"):
            pieces: dict[str, tuple[Callable[[Array], Array], Array]] = {
                "loop of nothing": (lambda x: x + 1, jnp.zeros(())),
                "M'M": (lambda M: M + 1e-9 * (M.T @ M)[0], M),
                "M Omega": (lambda M: 1e-3 * M @ Sigma, M),
                "Cholesky": (lambda S: Sigma + 1e-9 * jnp.linalg.cholesky(S), Sigma),
                "Omega and log det": (lambda S: Sigma + 1e-9 * precision(S)[0], Sigma),
                "exp and column sums": (lambda M: M + 1e-9 * total(jnp.exp(M)), M),
                "one pass": (lambda M: M * 0.999, M),
            }
            return {
                name: 1e6 * median_seconds(_loop(piece, x), repeats) / LENGTH
                for name, (piece, x) in pieces.items()
            }


def _loop(piece: Callable[[Array], Array], x: Array) -> Callable[[], Array]:
    run = jax.jit(lambda x: jax.lax.scan(lambda x, _: (piece(x), None), x, length=LENGTH)[0])
    return lambda: run(x)
