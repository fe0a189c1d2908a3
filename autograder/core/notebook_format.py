"""nbformat, imported without what takes it long and notebooks do not need."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_GRAMMAR = "rfc3987_syntax"


@contextmanager
def _without(name: str) -> Iterator[None]:
    """Make imports of a module fail, unless it is there already."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[name]


# jsonschema uses it, if it is installed, for internationalized addresses, of which a notebook's
# schema knows none; to import it takes over a second. Others may import it later as ever.
with _without(_GRAMMAR):
    import nbformat
    from nbformat import NotebookNode

__all__ = ["NotebookNode", "nbformat"]
