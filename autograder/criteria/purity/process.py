"""Reads and restores the process: modules, configuration, environment, random states, settings.

Its items are further roots of the map that holds the student's state.
"""

from __future__ import annotations

import contextlib
import decimal
import gc
import logging
import os
import signal
import sys
import types
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import jax
import numpy as np

from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import leaf_token
from autograder.criteria.purity.walk import Snapshot
from autograder.programs import jax_access

# Names that Python, IPython and test runners set for themselves.
_SYSTEM = """
    stdout stderr stdin last_type last_value last_traceback last_exc modules path argv ps1 ps2
    displayhook tracebacklimit dont_write_bytecode
"""
_IGNORED = {
    "builtins": {"_", "__", "___", "input", "display", "get_ipython", "__build_class__"},
    "sys": set(_SYSTEM.split()),
    "time": {"tzname", "timezone", "altzone", "daylight"},  # `time.tzset` sets them
    "warnings": {"filters", "showwarning"},
}
_PLAIN = (str, int, float, bool, bytes)


class Group(NamedTuple):
    """Items of the process.

    Attributes:
        kind: of the items.
        name: what the paths are, with a gap for the name of an item.
        read: returns the items by name.
        put: sets an item again.
        drop: removes an item that was not there.
    """

    kind: str
    name: str
    read: Callable[[], dict[str, Any]]
    put: Callable[[str, Any], object] = lambda name, value: None
    drop: Callable[[str], object] = lambda name: None

    def restore(self, saved: dict[str, Any]) -> None:
        """Restore what was read before, where it has changed."""
        now = self.read()
        for name in now.keys() - saved.keys():
            self.drop(name)
        for name, value in saved.items():
            if name not in now or _plain(now[name]) != _plain(value):
                with contextlib.suppress(Exception):
                    self.put(name, value)


def _plain(value: Any, levels: int = 4) -> object:
    """Reduce a value to what can be compared without running a student's `__eq__`."""
    if levels and type(value) in (list, tuple):
        return [_plain(part, levels - 1) for part in value]
    if type(value) is np.ndarray:
        return value.tobytes()
    return value if type(value) in _PLAIN else id(value)


def _public_names(module: types.ModuleType) -> dict[str, object]:
    """Return the public names of a module, without submodules: they are imported lazily."""
    ignored = _IGNORED.get(module.__name__, ())
    return {
        name: value
        for name, value in list(vars(module).items())
        if (name[:1] != "_" or name.startswith("__import"))
        and name not in ignored
        and not issubclass(type(value), types.ModuleType)
    }


def _made_up_modules() -> dict[str, Any]:
    """Return the modules that were put into `sys.modules` by hand rather than imported."""
    found = [(n, m) for n, m in list(sys.modules.items()) if m is not None and "cython" not in n]
    return {name: module for name, module in found if getattr(module, "__spec__", 0) is None}


def _write_filters(saved: list) -> None:
    live: Any = warnings.filters
    live[:] = saved
    if hasattr(warnings, "_filters_mutated"):
        warnings._filters_mutated()  # type: ignore[attr-defined]


_Access = tuple[Callable[[], Any], Callable[[Any], object]]


def _attribute(owner: Any, name: str) -> _Access:
    return lambda: getattr(owner, name, None), lambda saved: setattr(owner, name, saved)


def _content(owner: Any, name: str) -> _Access:
    def write(saved: list) -> None:
        getattr(owner, name)[:] = saved

    return lambda: list(getattr(owner, name)), write


_STREAMS = ("stdout", "stderr", "stdin", "excepthook", "displayhook", "unraisablehook")
_STATES: dict[str, _Access] = {
    "random.getstate()": (jax_access.py_get_state, jax_access.py_set_state),
    "numpy.random.get_state()": (jax_access.np_get_state, jax_access.np_set_state),
}
_SETTINGS: dict[str, _Access] = {
    **_STATES,
    "os.getcwd()": (os.getcwd, os.chdir),
    "warnings.filters": (lambda: [*warnings.filters], _write_filters),
    "numpy.geterr()": (lambda: [*np.geterr().items()], lambda saved: np.seterr(**dict(saved))),
    "numpy.get_printoptions()": (
        lambda: [*np.get_printoptions().items()],
        lambda saved: np.set_printoptions(**dict(saved)),
    ),
    "sys.recursionlimit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "sys.switchinterval": (sys.getswitchinterval, sys.setswitchinterval),
    "gc.enabled": (gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
    "gc.threshold": (gc.get_threshold, lambda saved: gc.set_threshold(*saved)),
    "logging.disable()": (lambda: logging.root.manager.disable, logging.disable),
    "logging.handlers": _content(logging.root, "handlers"),
    "logging.level": (lambda: logging.root.level, logging.root.setLevel),
    "logging.disabled": _attribute(logging.root, "disabled"),
    **{f"sys.{name}": _attribute(sys, name) for name in _STREAMS},
    **{f"sys.{n}": _content(sys, n) for n in ("path", "meta_path", "path_hooks", "argv")},
    **{f"signal.{s.name}": (partial(signal.getsignal, s), partial(signal.signal, s))
       for s in signal.Signals if s.name in ("SIGINT", "SIGTERM", "SIGALRM")},
    "decimal.context": (lambda: repr(decimal.getcontext()).partition("flags")[0], repr),
}  # fmt: skip
"""By name: how a setting of the interpreter is read and written."""
_KINDS = {"decimal.context": "context", **dict.fromkeys(_STATES, "random")}
_GROUPS = (
    Group("configuration", "jax.config.{}", lambda: dict(getattr(jax.config, "values", {})),
          jax.config.update),
    Group("environment", "os.environ[{!r}]", lambda: dict(os.environ),
          os.environ.__setitem__, os.environ.__delitem__),
    Group("interpreter", "sys.modules[{!r}]", _made_up_modules,
          sys.modules.__setitem__, sys.modules.__delitem__),
    Group("thread", "threading.enumerate()[{}]",
          lambda: {str(i): True for i, _ in enumerate(jax_access.live_threads())}),
    Group("interpreter", "{}", lambda: {name: read() for name, (read, _) in _SETTINGS.items()},
          lambda name, value: _SETTINGS[name][1](value)),
)  # fmt: skip


class Process:
    """The process of a student's code, whose items are read into a snapshot."""

    def __init__(self, student: StudentModule) -> None:
        modules = [
            Group("module", f"{m.__name__}.{{}}", partial(_public_names, m),
                  vars(m).__setitem__, vars(m).__delitem__)
            for m in student.watched_modules
        ]  # fmt: skip
        self.groups = (*_GROUPS, *modules)

    def read_into(self, shot: Snapshot, saving: bool, only: str | None = None) -> None:
        """Add the items to a snapshot, or those alone whose root is `only`."""
        for group in self.groups:
            root = group.name
            if only not in (None, root):
                continue
            found = group.read()
            shot.keep.append(found)
            for name, value in found.items():
                path = root.format(name)
                shot.tokens[path] = leaf_token(value) or ("object", _plain(value))
                shot.origins[path] = _KINDS.get(name, group.kind), root
            if saving:
                shot.undo.append(partial(group.restore, found))
