"""What a benchmark ran on, and how fast that moves bytes."""

import datetime
import importlib.metadata
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp

Device = Any  # a jax.Device, which type checkers take for a variable

PACKAGES = ("jax", "jaxlib", "optax", "numpy", "torch", "pyPLNmodels")


def environment(device: Device, command: str) -> dict[str, Any]:
    """Date, machine, versions and the command: what a figure is worth nothing without."""
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "command": command,
        "device": device.device_kind,
        "driver": _driver() if device.platform == "gpu" else None,
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else None,
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "versions": {name: _version(name) for name in PACKAGES},
        "XLA_FLAGS": os.environ.get("XLA_FLAGS", ""),
    }


def find_device(kind: str) -> Device:
    """The first device of a kind, "cpu" or "gpu".

    Raises:
        RuntimeError: there is none.
    """
    return jax.devices(kind)[0]


def median_seconds(run: Callable[[], Any], repeats: int) -> float:
    """Median time of a call until its arrays are there; one call before it warms up."""
    jax.block_until_ready(run())
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        jax.block_until_ready(run())
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def bandwidth(device: Device) -> float:
    """Bytes a second that a copy reads and writes, on arrays far larger than any cache."""
    size = 2**28 if device.platform == "gpu" else 2**26  # float32: 1 GiB, 256 MiB
    x = jax.device_put(jnp.ones(size, jnp.float32), device)
    copy = jax.jit(lambda x: x + 1)
    return 2 * x.nbytes / median_seconds(lambda: copy(x), 7)


def _version(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _driver() -> str | None:
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return None
    query = [tool, "--query-gpu=driver_version", "--format=csv,noheader"]
    answer = subprocess.run(query, capture_output=True, timeout=30)
    lines = answer.stdout.decode(errors="replace").strip().splitlines()
    return lines[0] if answer.returncode == 0 else None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or sys.platform
