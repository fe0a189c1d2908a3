"""Names the modules whose calls a profile hook may pass over; most calls are inside of JAX.

To read a frame's code is slow, since it is an event for every audit hook. To read the name of its
module is not.
"""

from __future__ import annotations

import sys
from collections.abc import Collection

_LIBRARIES = frozenset({"jax", "jaxlib", "numpy", "optax", "ml_dtypes"})


def quiet_modules(watched_files: Collection[str], *, standard: bool = False) -> frozenset[str]:
    """Return the names of the modules of JAX and NumPy that are not in one of these files.

    Args:
        watched_files: files with functions that the hook looks for.
        standard: whether to include the standard library.
    """
    packages = _LIBRARIES | sys.stdlib_module_names if standard else _LIBRARIES
    return frozenset(
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in packages
        and getattr(module, "__file__", None) not in watched_files
    )
