"""Samples spread over devices, for data too large for one.

With several hosts, call `jax.distributed.initialize()` first, make each array of the rows at hand
with `jax.make_array_from_process_local_data(over_samples(), rows)`, and pass them to `solve`.
"""

from collections.abc import Sequence

import jax
import numpy as np
from jax.sharding import AxisType, NamedSharding, PartitionSpec

from plnkit.machine import Device


def over_samples(devices: Sequence[Device] | None = None) -> NamedSharding:
    """The first axis cut over these devices, all of them when None."""
    devices = jax.devices() if devices is None else list(devices)
    # Auto: XLA decides where sums over samples become sums over devices.
    mesh = jax.make_mesh((len(devices),), ("samples",), (AxisType.Auto,), devices=devices)
    return NamedSharding(mesh, PartitionSpec("samples"))


def place(
    arrays: Sequence[np.ndarray], sharding: NamedSharding, weights: np.ndarray | None = None
) -> tuple[list[jax.Array], jax.Array]:
    """Put arrays (n, ...) on the devices, with rows of zeros up to a multiple of their number.

    Args:
        weights: of the samples, (n,), 1 when None.

    Returns:
        The arrays, and the weights, which are 0 for the rows that pad.
    """
    n = len(arrays[0])
    padding = -n % sharding.mesh.size
    weights = np.ones(n, np.float32) if weights is None else weights
    padded = [np.pad(a, [(0, padding)] + [(0, 0)] * (a.ndim - 1)) for a in [*arrays, weights]]
    *placed, mask = (jax.device_put(a, sharding) for a in padded)
    return placed, mask
