"""The ladder: one fit of the PLN model, jitted further at every level.

Read the files side by side: same model, same start, same optimizer, same ELBO at every iteration.
"""

from collections.abc import Callable
from typing import Any

from plnkit.ladder import dataclass, eager, jitted_step, named_tuple, pytree_class, scan

# Every one is fit(Y, O, X, n_iterations, optimizer) -> (Parameters, ELBO before each iteration).
LEVELS: dict[str, Callable[..., Any]] = {
    "no JIT": eager.fit,
    "1 jitted step": jitted_step.fit,
    "2 eager scan": scan.fit_eager,
    "2 scan in jit": scan.fit,
    "3 NamedTuple": named_tuple.fit,
    "3.5 dataclass": dataclass.fit,
    "4 pytree class": pytree_class.fit,
}
