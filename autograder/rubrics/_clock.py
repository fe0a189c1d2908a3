"""Stands for a device: results are ready later, as JAX's are, and calls know how long they took."""

from __future__ import annotations

import time
from typing import Any

import jax.core
import numpy as np

from autograder.programs import jax_access


class Result:
    """Stands for an array that is being computed, also for `isinstance`."""

    aval = jax.core.ShapedArray((1,), np.dtype(np.float32))
    dtype, shape = aval.dtype, aval.shape

    def __init__(self, call: Call) -> None:
        self._call = call
        self._waited = False

    def __getattribute__(self, name: str) -> Any:
        # A property would do, but a class that has one under this name cannot be pickled.
        return jax_access.Array if name == "__class__" else object.__getattribute__(self, name)

    def block_until_ready(self) -> Result:
        """Wait as `jax.Array.block_until_ready` does."""
        left = self._call.ready - time.perf_counter()
        if left > 0:  # even a sleep of no time gives the CPU away, which a busy machine keeps
            time.sleep(left)
        if not self._waited:  # the result is there once the last of its leaves was waited for
            self._waited = True
            self._call.left -= 1
            if not self._call.left:
                self._call.seconds = time.perf_counter() - self._call.start
        return self

    def __array__(self, *args: Any, **kwargs: Any) -> np.ndarray:
        self.block_until_ready()
        return np.zeros(1, np.float32)

    def __float__(self) -> float:
        return float(self.__array__()[0])

    item = __float__


class Call:
    """One call: when it began, when its result is there, and how long it took if waited for.

    `left` are the leaves of its result that nobody has waited for, and `before` the seconds that
    passed before it returned.
    """

    def __init__(self, arguments: tuple) -> None:
        self.arguments = arguments
        self.start = time.perf_counter()
        self.ready = self.start
        self.left = 1
        self.before = 0.0
        self.seconds: float | None = None


class Device:
    """Computes one result after the other, and part of each before the call returns."""

    def __init__(self) -> None:
        self._free = 0.0
        self.calls: list[Call] = []

    def compute(self, seconds: float, before: float, call: Call | None = None) -> Result:
        """Return a result that is ready after `seconds`, of which a part passes `before` that."""
        call = call or Call(())
        self._free = max(self._free, time.perf_counter()) + seconds
        call.ready = self._free
        time.sleep(before * seconds)
        call.before = time.perf_counter() - call.start
        self.calls.append(call)
        return Result(call)

    def waited(self) -> list[float | None]:
        """Return how long each call took; None for those that nobody has waited for."""
        return [call.seconds for call in self.calls]
