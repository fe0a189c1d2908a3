"""Reads and restores the process: modules, configuration, environment, random states, hooks."""

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
from typing import Any, NamedTuple

import jax
import numpy as np

from autograder.criteria.purity import trusted
from autograder.criteria.purity.student import StudentModule

_STANDARD = """
    builtins sys os time random math functools itertools operator gc inspect threading warnings
    collections contextlib copy json pickle types typing weakref timeit logging datetime
"""
_SCIENTIFIC = """
    numpy numpy.random numpy.linalg numpy.testing jax jax.numpy jax.numpy.linalg jax.lax
    jax.random jax.nn jax.scipy jax.scipy.special jax.tree jax.tree_util jax.monitoring
    jax.export jax.core jax.errors jax.debug optax
"""
MODULES = _STANDARD.split() + _SCIENTIFIC.split()
# Names that Python, IPython and test runners set for themselves.
_SYSTEM = """
    stdout stderr stdin last_type last_value last_traceback last_exc modules path argv ps1 ps2
    displayhook tracebacklimit dont_write_bytecode
"""
_IGNORED = {
    "builtins": {"_", "__", "___", "input", "display", "get_ipython", "__build_class__"},
    "sys": set(_SYSTEM.split()),
}
_CHANGED = "`{group}.{name}` is changed"
_RULES_AND_WORDS = {
    "jax.config": ("jax-config-changed", "the option `{name}` of jax.config is changed"),
    "environment": ("environment-changed", "{name} of the environment is changed"),
    "threads": ("thread", "a thread is left running"),
    "jax.monitoring": ("probe-tampered", "listeners of jax.monitoring are changed ({name})"),
    "decimal": ("context-mutated", _CHANGED),
}
_SYS_ATTRIBUTES = ("stdout", "stderr", "stdin", "excepthook", "displayhook", "unraisablehook")
_SIGNALS = ("SIGINT", "SIGTERM", "SIGALRM")
_FOLDER = "the current folder"
_BY_VALUE = (str, int, float, bool)
_UNSET = object()
# Group, name, how to read it, how to write it back. If the name is empty, a dict of items is read.
_Setting = tuple[str, str, Callable[[], Any], Callable[[Any], object] | None]


class Key(NamedTuple):
    """Names an item of the process: a setting of a group, or a value of a module."""

    group: str
    name: str


def public_names(module: types.ModuleType) -> dict[str, object]:
    """Return the public names of a module, without submodules: they are imported lazily."""
    ignored = _IGNORED.get(module.__name__, ())
    return {
        name: value
        for name, value in list(vars(module).items())
        if not (name.startswith("_") and not name.startswith("__import"))
        and name not in ignored
        and not issubclass(type(value), types.ModuleType)
    }


def _watched_modules(student: StudentModule) -> list[types.ModuleType]:
    """List the modules a student may patch: the usual ones and all that they imported."""
    found = {name: sys.modules[name] for name in MODULES if name in sys.modules}
    for value in list(student.namespace.values()):
        if issubclass(type(value), types.ModuleType) and value is not student.module:
            name = getattr(value, "__name__", "")
            if not name.startswith("autograder"):
                found.setdefault(name, value)
    return list(found.values())


def _read_environment() -> dict[str, str]:
    return {**os.environ, _FOLDER: os.getcwd()}


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


def _write_modules(saved: dict[str, Any]) -> None:
    """Restore replaced modules and remove made-up ones; imported modules stay."""
    for name, module in list(sys.modules.items()):
        if name not in saved and getattr(module, "__spec__", None) is None:
            del sys.modules[name]
    sys.modules.update(saved)


def _write_filters(saved: list) -> None:
    live: Any = warnings.filters
    live[:] = saved
    if hasattr(warnings, "_filters_mutated"):
        warnings._filters_mutated()  # type: ignore[attr-defined]


def _attribute(group: str, owner: object, name: str) -> _Setting:
    return (
        group,
        name,
        lambda: getattr(owner, name, None),
        lambda saved: setattr(owner, name, saved),
    )


def _list(group: str, owner: object, name: str) -> _Setting:
    """Watch the content of a list. The list itself may be replaced."""

    def write(saved: list) -> None:
        getattr(owner, name)[:] = saved

    return group, name, lambda: list(getattr(owner, name)), write


def _settings() -> list[_Setting]:
    """List what is compared and restored, except for modules' values and random states."""
    options, root = np.get_printoptions, logging.getLogger()
    monitoring = sys.modules.get("jax._src.monitoring")
    listeners = [n for n, v in vars(monitoring).items() if type(v) is list] if monitoring else []
    signals = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    return [
        ("jax.config", "", lambda: dict(getattr(jax.config, "values", {})), _write_config),
        ("environment", "", _read_environment, _write_environment),
        ("sys.modules", "", lambda: dict(sys.modules), _write_modules),
        ("numpy", "errstate", lambda: [*np.geterr().items()], lambda v: np.seterr(**dict(v))),
        ("numpy", "printoptions", lambda: repr(sorted(options().items(), key=str)), None),
        *(_attribute("sys", sys, name) for name in _SYS_ATTRIBUTES),
        *(_list("sys", sys, name) for name in ("path", "meta_path", "path_hooks", "argv")),
        ("sys", "recursionlimit", sys.getrecursionlimit, sys.setrecursionlimit),
        ("sys", "switchinterval", sys.getswitchinterval, sys.setswitchinterval),
        ("gc", "enabled", gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
        ("gc", "threshold", gc.get_threshold, lambda saved: gc.set_threshold(*saved)),
        ("warnings", "filters", lambda: list(warnings.filters), _write_filters),
        ("logging", "root", lambda: root.level, root.setLevel),
        _attribute("logging", root, "disabled"),
        _list("logging", root, "handlers"),
        ("logging", "disable", lambda: logging.root.manager.disable, logging.disable),
        ("decimal", "context", lambda: repr(decimal.getcontext()).partition("flags")[0], None),
        *(("signal", s.name, lambda s=s: signal.getsignal(s), None) for s in signals),
        *(_list("jax.monitoring", monitoring, n) for n in listeners if n.endswith("_listeners")),
    ]


def _token(value: object, levels: int = 2) -> object:
    """Reduce a value to what can be compared without running a student's `__eq__`."""
    if levels and type(value) in (list, tuple):
        return [_token(part, levels - 1) for part in value]  # type: ignore[attr-defined]
    return value if type(value) in _BY_VALUE else id(value)


def _read(setting: _Setting) -> dict[str, Any]:
    _, name, read, _ = setting
    return {name: read()} if name else read()


def _changed_keys(setting: _Setting, saved: dict[str, Any]) -> list[Key]:
    now = _read(setting)
    changed = [n for n in {**saved, **now} if _token(saved.get(n)) != _token(now.get(n))]
    if setting[0] == "sys.modules":
        changed = [n for n in changed if _is_made_up(n, saved) or _is_made_up(n, now)]
    return [Key(setting[0], name) for name in changed]


def _is_made_up(name: str, modules: dict[str, Any]) -> bool:
    """Check whether a module was put into `sys.modules` by hand: it is not an imported one."""
    module = modules.get(name)
    return module is not None and getattr(module, "__spec__", None) is None and "cython" not in name


def random_states() -> dict[str, object]:
    """Read the global random states, by the names of their modules."""
    numpy_state = trusted.np_get_state()
    if isinstance(numpy_state, tuple):  # of the Mersenne twister: arrays are slow to print
        numpy_state = [x.tobytes() if isinstance(x, np.ndarray) else x for x in numpy_state]
    return {"random": trusted.py_get_state(), "numpy.random": repr(numpy_state)}


def value_of(key: Key) -> object:
    """Read one item of the process; values can be compared with `==`."""
    for setting in _settings():
        if setting[0] == key.group and setting[1] in ("", key.name):
            return _token(_read(setting).get(key.name))
    module = sys.modules.get(key.group)
    return _token(vars(module).get(key.name)) if module else None


class ProcessSnapshot:
    """Remembers the process as it is now, modules' values included, and restores it."""

    def __init__(self, student: StudentModule) -> None:
        self._settings = [(setting, _read(setting)) for setting in _settings()]
        self._namespaces = {m.__name__: (m, public_names(m)) for m in _watched_modules(student)}
        self._threads = {t.ident for t in trusted.live_threads()}
        self._random = trusted.py_get_state(), trusted.np_get_state()

    def restore(self) -> None:
        """Restore what has changed; a step that fails does not stop the others."""
        for setting, saved in self._settings:
            _, name, _, write = setting
            with contextlib.suppress(Exception):
                if write is not None and _changed_keys(setting, saved):
                    write(saved[name] if name else saved)
        trusted.py_set_state(self._random[0])
        trusted.np_set_state(self._random[1])
        for module, names in self._namespaces.values():
            now = public_names(module)
            for name in now.keys() - names.keys():
                if name in vars(module):
                    del vars(module)[name]
            for name, value in names.items():
                if now.get(name, _UNSET) is not value:
                    vars(module)[name] = value

    def changed_keys(self) -> list[Key]:
        """List what has changed since the snapshot, in a fixed order."""
        keys = [key for setting in self._settings for key in _changed_keys(*setting)]
        for group, (module, names) in self._namespaces.items():
            now = public_names(module)
            keys += [
                Key(group, name)
                for name in {**names, **now}
                if names.get(name, _UNSET) is not now.get(name, _UNSET)
            ]
        if {t.ident for t in trusted.live_threads()} - self._threads:
            keys.append(Key("threads", "a thread"))
        return sorted(keys)

    def rule_and_words(self, key: Key) -> tuple[str, str]:
        """Name the rule that a change of this item breaks, and describe the change."""
        if self.is_patch(key):
            return "module-patched", f"`{key.group}.{key.name}` is replaced"
        rule, words = _RULES_AND_WORDS.get(key.group, ("interpreter-changed", _CHANGED))
        return rule, words.format(group=key.group, name=key.name)

    def is_patch(self, key: Key) -> bool:
        """Check whether a key names a module's value."""
        return key.group in self._namespaces
