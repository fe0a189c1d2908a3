"""Reads and restores the process: modules, configuration, environment, random states, settings.

It is one of the maps of an experiment's record: from a group and a name to a value.
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

from autograder.core import jax_access
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.walk import Change

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
_FOLDER = "the current folder"
_PLAIN = (str, int, float, bool, bytes)


def _token(value: object, levels: int = 3) -> object:
    """Reduce a value to what can be compared without running a student's `__eq__`."""
    if levels and type(value) in (list, tuple):
        return [_token(part, levels - 1) for part in value]  # type: ignore[attr-defined]
    return value if type(value) in _PLAIN else id(value)


class Group(NamedTuple):
    """Items of the process: how they are read and written, and what a change of one means."""

    name: str
    read: Callable[[], dict[str, Any]]
    write: Callable[[dict[str, Any]], object] | None = None
    rule: str = "interpreter-changed"
    words: str = "`{path}` is changed"


def public_names(module: types.ModuleType) -> dict[str, object]:
    """Return the public names of a module, without submodules: they are imported lazily."""
    ignored = _IGNORED.get(module.__name__, ())
    return {
        name: value
        for name, value in list(vars(module).items())
        if (name[:1] != "_" or name.startswith("__import"))
        and name not in ignored
        and not issubclass(type(value), types.ModuleType)
    }


def _module(module: types.ModuleType) -> Group:
    def write(saved: dict[str, Any]) -> None:
        for name in public_names(module).keys() - saved.keys():
            del vars(module)[name]
        vars(module).update(saved)

    def read() -> dict[str, Any]:
        return public_names(module)

    return Group(module.__name__, read, write, "module-patched", "`{path}` is replaced")


def _write_environment(saved: dict[str, str]) -> None:
    variables = dict(saved)
    os.chdir(variables.pop(_FOLDER))
    for name in os.environ.keys() - variables.keys():
        del os.environ[name]
    os.environ.update(variables)


def _write_config(saved: dict[str, Any]) -> None:
    for name, value in saved.items():
        if jax.config.values[name] != value:
            jax.config.update(name, value)


def _made_up_modules() -> dict[str, Any]:
    """Return the modules that were put into `sys.modules` by hand rather than imported."""
    found = list(sys.modules.items())
    found = [(n, m) for n, m in found if m is not None and "cython" not in n]
    return {name: module for name, module in found if getattr(module, "__spec__", 0) is None}


def _write_modules(saved: dict[str, Any]) -> None:
    for name in _made_up_modules().keys() - saved.keys():
        del sys.modules[name]
    sys.modules.update(saved)


def _write_filters(saved: dict[str, Any]) -> None:
    live: Any = warnings.filters
    live[:] = saved["warnings.filters"]
    if hasattr(warnings, "_filters_mutated"):
        warnings._filters_mutated()  # type: ignore[attr-defined]


def _random_states() -> dict[str, object]:
    numpy_state = jax_access.np_get_state()
    if isinstance(numpy_state, tuple):  # of the Mersenne twister: arrays are slow to print
        numpy_state = [x.tobytes() if isinstance(x, np.ndarray) else x for x in numpy_state]
    return {"random": hash(jax_access.py_get_state()), "numpy.random": repr(numpy_state)}


def _decimal_context() -> dict[str, object]:
    return {"decimal.context": repr(decimal.getcontext()).partition("flags")[0]}


_Access = tuple[Callable[[], Any], Callable[[Any], object] | None]


def _attribute(owner: Any, name: str) -> _Access:
    return lambda: getattr(owner, name, None), lambda saved: setattr(owner, name, saved)


def _content(owner: Any, name: str) -> _Access:
    def write(saved: list) -> None:
        getattr(owner, name)[:] = saved

    return lambda: list(getattr(owner, name)), write


_STREAMS = ("stdout", "stderr", "stdin", "excepthook", "displayhook", "unraisablehook")
_SIGNALS = [s for s in ("SIGINT", "SIGTERM", "SIGALRM") if hasattr(signal, s)]
_SETTINGS: dict[str, _Access] = {
    "numpy.errstate": (lambda: [*np.geterr().items()], lambda v: np.seterr(**dict(v))),
    "numpy.printoptions": (lambda: repr(sorted(np.get_printoptions().items(), key=str)), None),
    "sys.recursionlimit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "sys.switchinterval": (sys.getswitchinterval, sys.setswitchinterval),
    "gc.enabled": (gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
    "gc.threshold": (gc.get_threshold, lambda saved: gc.set_threshold(*saved)),
    "logging.disable": (lambda: logging.root.manager.disable, logging.disable),
    "logging.handlers": _content(logging.root, "handlers"),
    "logging.level": (lambda: logging.root.level, logging.root.setLevel),
    "logging.disabled": _attribute(logging.root, "disabled"),
    **{f"sys.{name}": _attribute(sys, name) for name in _STREAMS},
    **{f"sys.{n}": _content(sys, n) for n in ("path", "meta_path", "path_hooks", "argv")},
    **{f"signal.{s}": (partial(signal.getsignal, getattr(signal, s)), None) for s in _SIGNALS},
}
"""By name: how a setting of the interpreter is read and written."""


def _write_settings(saved: dict[str, Any]) -> None:
    for name, (read, write) in _SETTINGS.items():
        if write is not None and _token(read()) != _token(saved[name]):
            with contextlib.suppress(Exception):
                write(saved[name])


_GROUPS = (
    Group("jax.config", lambda: dict(getattr(jax.config, "values", {})), _write_config,
          "jax-config-changed", "the option `{name}` of jax.config is changed"),
    Group("environment", lambda: {**os.environ, _FOLDER: os.getcwd()}, _write_environment,
          "environment-changed", "{name} of the environment is changed"),
    Group("sys.modules", _made_up_modules, _write_modules),
    Group("warnings filters", lambda: {"warnings.filters": [*warnings.filters]}, _write_filters),
    Group("settings", lambda: {n: read() for n, (read, _) in _SETTINGS.items()}, _write_settings),
    Group("decimal context", _decimal_context, None, "context-mutated"),
    Group("threads", lambda: {str(t.ident): 1 for t in jax_access.live_threads()}, None,
          "thread", "a thread is left running"),
    Group("random states", _random_states, None,
          "random-state", "the global random state of `{name}` is used"),
)  # fmt: skip


class Process:
    """The process of a student's code: reads it as a map, and restores it as it was at first."""

    def __init__(self, student: StudentModule) -> None:
        modules = student.watched_modules
        self.groups = {g.name: g for g in (*_GROUPS, *map(_module, modules))}
        self.start = self.read()
        self._random = jax_access.py_get_state(), jax_access.np_get_state()

    def read(self) -> dict[str, dict[str, Any]]:
        return {name: group.read() for name, group in self.groups.items()}

    def restore(self) -> None:
        """Restore what has changed; a step that fails does not stop the others."""
        for name, group in self.groups.items():
            with contextlib.suppress(Exception):
                if group.write is not None and not _is_equal(group.read(), self.start[name]):
                    group.write(self.start[name])
        jax_access.py_set_state(self._random[0])
        jax_access.np_set_state(self._random[1])

    def changes(
        self, before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]
    ) -> list[Change]:
        """List what differs, in a fixed order; the kind is the name of the group."""
        found = []
        for group in self.groups:
            if _is_equal(before[group], after[group]):
                continue
            is_module = self.groups[group].rule == "module-patched"
            for name in sorted({**before[group], **after[group]}):
                old, new = (
                    (_token(m[group][name]),) if name in m[group] else None for m in (before, after)
                )
                if old != new and not (group == "threads" and new is None):  # one may end
                    path = f"{group}.{name}" if is_module else name
                    found.append(Change(path, old, new, group, name, "process"))
        return found

    def value_of(self, change: Change) -> object:
        """Return what a change was of, as it is now; values can be compared with `==`."""
        return _token(self.groups[change.kind].read().get(change.root))

    def describe(self, change: Change) -> tuple[str, str]:
        """Return the rule that a change breaks, and what it is in words."""
        group = self.groups[change.kind]
        return group.rule, group.words.format(path=change.path, name=change.root)


def _is_equal(first: dict[str, Any], second: dict[str, Any]) -> bool:
    if first.keys() == second.keys() and all(first[name] is second[name] for name in first):
        return True
    return _token([*first.items()]) == _token([*second.items()])
