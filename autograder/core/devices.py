"""How many CPU devices a process has, for exercises whose code runs on several."""

from __future__ import annotations

import jax
from jax.sharding import AxisType, NamedSharding, PartitionSpec


def set_devices(count: int) -> None:
    """Give this process so many CPU devices, whatever XLA_FLAGS says. No backend may run yet."""
    jax.config.update("jax_num_cpu_devices", count)


def copied_to(devices: int) -> NamedSharding:
    """Return the sharding of an array that the first devices hold a copy of each."""
    mesh = jax.make_mesh((devices,), ("all",), (AxisType.Auto,), devices=jax.devices()[:devices])
    return NamedSharding(mesh, PartitionSpec())
