"""The right results of a call, and how exact an answer can be.

The tolerance is calibrated for each leaf from the reference's own float32 error on the same
inputs, so that any right formulation passes and a wrong constant of 1e-4 does not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

FACTOR = 8.0
"""How many times the reference's own float32 error is allowed; equivalent formulations stay under
0.12 of the tolerance, and of 301 steps of Adam, for 95 draws that were judged with, under 0.5."""

_ROUNDINGS = 64.0
"""Float32 roundings of the largest value, for leaves that the reference gets exactly right.

`x / exp(gammaln(n + 1))` for x / n! is off by 21 of them at n = 8.
"""


@dataclass(frozen=True)
class ExpectedLeaf:
    """One leaf of the right results of a call.

    Attributes:
        path: such as ``"[0]"``.
        exact: its values in float64 (integers and booleans as they are).
        single: the same computed in float32: the dtype to return, and the calibration.
        least: the smallest size that rounding errors are relative to.
    """

    path: str
    exact: np.ndarray
    single: np.ndarray
    least: float = 0.0

    @property
    def is_float(self) -> bool:
        """Whether its values are floating-point numbers."""
        return np.issubdtype(self.single.dtype, np.floating)

    @property
    def finite(self) -> np.ndarray:
        """Where its values are finite, in float64 and in float32."""
        return np.isfinite(self.exact) & np.isfinite(self.single)

    @property
    def scale(self) -> float:
        """The size that rounding errors are relative to."""
        return float(np.max(np.abs(self.exact), where=self.finite, initial=self.least))

    @property
    def rounding(self) -> float:
        """The absolute error that roundings of the largest value alone explain."""
        return _ROUNDINGS * float(np.finfo(np.float32).eps) * self.scale

    @property
    def tolerance(self) -> float:
        """The largest absolute error of a right result."""
        noise = float(np.max(self.errors(self.single), where=self.finite, initial=0.0))
        return FACTOR * noise + self.rounding

    def errors(self, got: np.ndarray) -> np.ndarray:
        """Return how far each value is from the right one."""
        with np.errstate(invalid="ignore"):
            return np.abs(got.astype(np.float64) - self.exact)

    def find_right(self, got: np.ndarray, tolerance: np.ndarray | None = None) -> np.ndarray:
        """Return where values of the right shape and dtype are right.

        `tolerance` is the largest absolute error of each value; by default, `self.tolerance`.
        """
        if not self.is_float:
            return got == self.exact
        near = self.errors(got) <= (self.tolerance if tolerance is None else tolerance)
        same = (got == self.single) | (np.isnan(got) & np.isnan(self.single))
        return np.where(self.finite, near, same)


Expected = tuple[ExpectedLeaf, ...]
