"""Reads and restores the process: modules, configuration, environment, random states, hooks."""

from __future__ import annotations

import decimal
import gc
import logging
import os
import signal
import sys
import types
import warnings
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from autograder.criteria.purity import trusted
from autograder.criteria.purity.state import Step, of_attribute, of_list_at, run_steps, step
from autograder.criteria.purity.student import Student
from autograder.criteria.purity.values import digest

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
_STREAMS = ("stdout", "stderr")
_HOOKS = ("excepthook", "displayhook", "stdin", "unraisablehook")
_SIGNALS = ("SIGINT", "SIGTERM", "SIGALRM")
_UNSET = object()


@dataclass(frozen=True, order=True)
class Key:
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


def _watched_modules(student: Student) -> list[types.ModuleType]:
    """List the modules a student may patch: the usual ones and all that they imported."""
    found = {name: sys.modules[name] for name in MODULES if name in sys.modules}
    for value in list(student.namespace.values()):
        if issubclass(type(value), types.ModuleType) and value is not student.module:
            name = getattr(value, "__name__", "")
            if not name.startswith("autograder"):
                found.setdefault(name, value)
    return list(found.values())


def _simple_values() -> dict[Key, object]:
    """Read everything of the process that is compared by value, `repr` or identity."""
    root, options = logging.getLogger(), np.get_printoptions()
    groups: dict[str, dict[str, object]] = {
        "jax.config": {k: repr(v)[:200] for k, v in getattr(jax.config, "values", {}).items()},
        "environment": {**os.environ, "the current folder": os.getcwd()},
        "numpy": {
            "errstate": repr(sorted(np.geterr().items())),
            "printoptions": repr({k: repr(options[k]) for k in sorted(options)}),
        },
        "sys": {
            **{name: id(getattr(sys, name, None)) for name in (*_STREAMS, *_HOOKS)},
            **{name: list(map(id, getattr(sys, name))) for name in ("meta_path", "path_hooks")},
            "path": list(sys.path),
            "argv": list(map(id, sys.argv)),
            "recursionlimit": sys.getrecursionlimit(),
            "switchinterval": sys.getswitchinterval(),
        },
        "gc": {"enabled": (gc.isenabled(), gc.get_threshold())},
        "warnings": {"filters": list(map(repr, warnings.filters))},
        "logging": {
            "root": (root.level, list(map(id, root.handlers)), root.disabled),
            "disable": logging.root.manager.disable,
        },
        "decimal": {"context": repr(decimal.getcontext()).partition("flags")[0]},
        "signal": {
            name: id(signal.getsignal(getattr(signal, name)))
            for name in _SIGNALS
            if hasattr(signal, name)
        },
        "sys.modules": {
            name: id(module)
            for name, module in list(sys.modules.items())
            if getattr(module, "__spec__", None) is None and "cython" not in name
        },
        "jax.monitoring": {name: list(map(id, value)) for name, value in _listeners().items()},
    }
    return {Key(group, k): v for group, values in groups.items() for k, v in values.items()}


def random_states() -> dict[Key, object]:
    numpy_state = trusted.np_get_state()
    if isinstance(numpy_state, tuple):  # of the Mersenne twister: arrays are slow to print
        numpy_state = [x.tobytes() if isinstance(x, np.ndarray) else x for x in numpy_state]
    return {
        Key("random", "random"): digest(repr(trusted.py_get_state()).encode()),
        Key("random", "numpy.random"): digest(repr(numpy_state).encode()),
    }


def value_of(key: Key) -> object:
    """Read one item of the process."""
    module = sys.modules.get(key.group)
    if module is None or key.group in ("sys", "warnings", "logging", "gc"):
        simple = _simple_values()
        if key in simple:
            return simple[key]
    return vars(module).get(key.name) if module else None


def _undo_steps() -> list[Step]:
    """Remember what student code may change in the process and no module's name holds."""
    root = logging.getLogger()
    python, numpy_state = trusted.py_get_state(), trusted.np_get_state()
    steps = [
        step(lambda: dict(os.environ), _write_environment),
        step(os.getcwd, os.chdir),
        *(of_list_at(sys, name) for name in ("path", "meta_path", "path_hooks")),
        *(of_attribute(sys, name) for name in _HOOKS),
        step(sys.getrecursionlimit, sys.setrecursionlimit),
        step(sys.getswitchinterval, sys.setswitchinterval),
        step(gc.isenabled, lambda saved: gc.enable() if saved else gc.disable()),
        step(gc.get_threshold, lambda saved: gc.set_threshold(*saved)),
        of_list_at(root, "handlers"),
        step(lambda: root.level, root.setLevel),
        step(lambda: logging.root.manager.disable, logging.disable),
        _of_modules(),
        step(lambda: list(warnings.filters), _write_filters),
        step(lambda: dict(getattr(jax.config, "values", {})), _write_config),
        lambda: trusted.py_set_state(python),
        lambda: trusted.np_set_state(numpy_state),
        step(np.geterr, lambda saved: np.seterr(**saved)),
    ]
    monitoring = sys.modules.get("jax._src.monitoring")
    return steps + [of_list_at(monitoring, name) for name in _listeners()]


def _listeners() -> dict[str, list]:
    """Return JAX's own lists of event listeners, by their names in its module."""
    monitoring = sys.modules.get("jax._src.monitoring")
    return {
        name: value
        for name, value in (vars(monitoring) if monitoring else {}).items()
        if name.endswith("_listeners") and type(value) is list
    }


def _write_environment(saved: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(saved)


def _write_filters(saved: list) -> None:
    live: Any = warnings.filters
    live[:] = saved
    if hasattr(warnings, "_filters_mutated"):
        warnings._filters_mutated()  # type: ignore[attr-defined]


def _write_config(saved: dict[str, object]) -> None:
    for name, value in saved.items():
        if jax.config.values[name] != value:
            jax.config.update(name, value)


def _of_modules() -> Step:
    """Remember modules against replaced and made-up ones; what was imported stays."""
    modules = dict(sys.modules)

    def back() -> None:
        for name, module in list(sys.modules.items()):
            if name not in modules and getattr(module, "__spec__", None) is None:
                del sys.modules[name]
        for name, module in modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module

    return back


class ProcessSnapshot:
    """Remembers the process as it is now, modules' values included, and restores it."""

    def __init__(self, student: Student) -> None:
        self._values = _simple_values()
        self._namespaces = {m.__name__: (m, public_names(m)) for m in _watched_modules(student)}
        self._threads = {t.ident for t in trusted.live_threads()}
        self._undo = _undo_steps()

    def restore(self) -> None:
        run_steps(self._undo)
        for module, names in self._namespaces.values():
            now = public_names(module)
            for name in now.keys() - names.keys():
                if name in vars(module):
                    del vars(module)[name]
            for name, value in names.items():
                if now.get(name, _UNSET) is not value:
                    vars(module)[name] = value

    def changed_keys(self) -> list[Key]:
        """List what has changed since then, in a fixed order."""
        old, new = self._values, _simple_values()
        keys = [k for k in {**old, **new} if old.get(k) != new.get(k)]
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
        """Say what a change of this item is called."""
        if self.is_patch(key):
            return "module-patched", f"`{key.group}.{key.name}` is replaced"
        rule, words = _RULES_AND_WORDS.get(key.group, ("interpreter-changed", _CHANGED))
        return rule, words.format(group=key.group, name=key.name)

    def is_patch(self, key: Key) -> bool:
        """Check whether a key names a module's value."""
        return key.group in self._namespaces
