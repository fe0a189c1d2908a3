"""Everything of the process that has a value of its own, read by `repr` or identity."""

from __future__ import annotations

import contextlib
import decimal
import gc
import logging
import os
import signal
import sys
import warnings
from dataclasses import dataclass

import jax
import numpy as np

from autograder.criteria.purity import trusted
from autograder.criteria.purity.values import digest


@dataclass(frozen=True)
class Key:
    group: str
    name: str


def listeners() -> dict[str, list]:
    """JAX's own lists of those who are told what it does, by their names in its module."""
    monitoring = sys.modules.get("jax._src.monitoring")
    return {
        name: value
        for name, value in (vars(monitoring) if monitoring else {}).items()
        if name.endswith("_listeners") and type(value) is list
    }


def simple_values() -> dict[Key, object]:
    values: dict[Key, object] = {}
    for name, value in getattr(jax.config, "values", {}).items():
        values[Key("jax.config", name)] = repr(value)[:200]
    for name, value in os.environ.items():
        values[Key("environment", name)] = value
    values[Key("environment", "the current folder")] = os.getcwd()
    values[Key("numpy", "errstate")] = repr(sorted(np.geterr().items()))
    options = np.get_printoptions()
    values[Key("numpy", "printoptions")] = repr({k: repr(options[k]) for k in sorted(options)})
    for name in ("path", "meta_path", "path_hooks", "argv"):
        values[Key("sys", name)] = [id(x) if name != "path" else x for x in getattr(sys, name)]
    for name in ("stdout", "stderr", "excepthook", "displayhook", "stdin", "unraisablehook"):
        values[Key("sys", name)] = id(getattr(sys, name, None))
    values[Key("sys", "recursionlimit")] = sys.getrecursionlimit()
    values[Key("sys", "switchinterval")] = sys.getswitchinterval()
    values[Key("gc", "enabled")] = (gc.isenabled(), gc.get_threshold())
    values[Key("warnings", "filters")] = [repr(f) for f in warnings.filters]
    root = logging.getLogger()
    values[Key("logging", "root")] = (root.level, [id(h) for h in root.handlers], root.disabled)
    values[Key("logging", "disable")] = logging.root.manager.disable
    values[Key("decimal", "context")] = repr(decimal.getcontext()).partition("flags")[0]
    with contextlib.suppress(ValueError):
        for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGALRM", signal.SIGINT)):
            values[Key("signal", number.name)] = id(signal.getsignal(number))
    for name, module in list(sys.modules.items()):
        if getattr(module, "__spec__", None) is None and "cython" not in name:
            values[Key("sys.modules", name)] = id(module)
    for name, value in listeners().items():
        values[Key("jax.monitoring", name)] = [id(x) for x in value]
    return values


def random_states() -> dict[Key, object]:
    numpy_state = trusted.np_get_state()
    if isinstance(numpy_state, tuple):  # of the Mersenne twister: arrays are slow to print
        numpy_state = [x.tobytes() if isinstance(x, np.ndarray) else x for x in numpy_state]
    return {
        Key("random", "random"): digest(repr(trusted.py_get_state()).encode()),
        Key("random", "numpy.random"): digest(repr(numpy_state).encode()),
    }
