"""Parameters of which the fast tier tries some, and the slow tier all."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def mostly_slow(values: Iterable[Any], fast: Collection[Any] | int = 1) -> list[Any]:
    """Mark the values that are not in `fast` as slow; a number keeps the first so many."""
    return [
        pytest.param(
            value,
            id=value if isinstance(value, str) else None,
            marks=()
            if (i < fast if isinstance(fast, int) else value in fast)
            else pytest.mark.slow,
        )
        for i, value in enumerate(values)
    ]
