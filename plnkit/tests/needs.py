"""Skips a test where a package of an extra is missing, with the same words everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from plnkit.extras import EXTRA_OF


def reason_without(module: str, extra: str | None = None) -> str:
    """Return why a test is skipped without a module; by default its extra is `EXTRA_OF`'s."""
    return f"{module} is not installed: it comes with the extra `{extra or EXTRA_OF[module]}`"


def need(module: str, extra: str | None = None) -> Any:
    """Return the imported module, or skip the test, or the file, that asks for it."""
    return pytest.importorskip(module, reason=reason_without(module, extra))
