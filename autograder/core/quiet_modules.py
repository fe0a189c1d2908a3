"""Names the modules whose calls a profile hook may pass over; most calls are inside of JAX.

To read a frame's code is slow, since it is an event for every audit hook. To read the name of its
module is not.
"""

from __future__ import annotations

import sys
from collections.abc import Collection

_LIBRARIES = frozenset({"jax", "jaxlib", "numpy", "optax", "ml_dtypes"})


def quiet_modules(watched_files: Collection[str]) -> frozenset[str]:
    """Return the names of the modules of JAX and NumPy that are in none of these files.

    The hook looks for functions in these files.
    """
    return frozenset(
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] in _LIBRARIES
        and getattr(module, "__file__", None) not in watched_files
    )
