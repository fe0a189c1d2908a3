"""How the process goes back to where it is now; each step leaves alone what has not changed."""

from __future__ import annotations

import gc
import logging
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from autograder.criteria.purity import trusted
from autograder.criteria.purity.process.reading import listeners

Step = Callable[[], None]


def steps() -> list[Step]:
    return [
        _environment(),
        _interpreter(),
        _modules(),
        _warning_filters(),
        _jax_config(),
        _listeners(),
        _random_states(),
        _numpy_errors(),
    ]


def _environment() -> Step:
    environ, folder = dict(os.environ), os.getcwd()

    def back() -> None:
        if dict(os.environ) != environ:
            os.environ.clear()
            os.environ.update(environ)
        if os.getcwd() != folder:
            os.chdir(folder)

    return back


def _interpreter() -> Step:
    path, meta, hooks = list(sys.path), list(sys.meta_path), list(sys.path_hooks)
    limits = (sys.getrecursionlimit(), sys.getswitchinterval())
    collecting, thresholds = gc.isenabled(), gc.get_threshold()
    root, handlers = logging.getLogger(), list(logging.getLogger().handlers)
    level, disabled = root.level, logging.root.manager.disable
    streams = (sys.excepthook, sys.displayhook, sys.stdin, sys.unraisablehook)

    def back() -> None:
        sys.path[:], sys.meta_path[:], sys.path_hooks[:] = path, meta, hooks
        sys.excepthook, sys.displayhook, sys.stdin, sys.unraisablehook = streams
        sys.setrecursionlimit(limits[0])
        sys.setswitchinterval(limits[1])
        gc.enable() if collecting else gc.disable()
        gc.set_threshold(*thresholds)
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.disable(disabled)

    return back


def _modules() -> Step:
    """Modules that were put in place of others, or made up; what was imported stays."""
    modules = dict(sys.modules)

    def back() -> None:
        for name, module in list(sys.modules.items()):
            if name not in modules and getattr(module, "__spec__", None) is None:
                del sys.modules[name]
        for name, module in modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module

    return back


def _warning_filters() -> Step:
    filters = list(warnings.filters)
    live: Any = warnings.filters

    def back() -> None:
        if warnings.filters[:] != filters:
            live[:] = filters
            warnings._filters_mutated() if hasattr(warnings, "_filters_mutated") else None  # type: ignore[attr-defined]

    return back


def _jax_config() -> Step:
    config = dict(getattr(jax.config, "values", {}))

    def back() -> None:
        for name, value in config.items():
            if jax.config.values[name] != value:
                jax.config.update(name, value)

    return back


def _listeners() -> Step:
    saved = {name: list(value) for name, value in listeners().items()}

    def back() -> None:
        now = listeners()
        for name, value in saved.items():
            if now[name] != value:
                now[name][:] = value

    return back


def _random_states() -> Step:
    python, numpy_state = trusted.py_get_state(), trusted.np_get_state()

    def back() -> None:
        trusted.py_set_state(python)
        trusted.np_set_state(numpy_state)

    return back


def _numpy_errors() -> Step:
    errors = np.geterr()

    def back() -> None:
        np.seterr(**errors)  # type: ignore[arg-type]

    return back
