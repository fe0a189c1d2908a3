"""State of the whole process: modules, configuration, environment, random states, hooks."""

from __future__ import annotations

import contextlib
import decimal
import gc
import importlib
import logging
import os
import signal
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from autograder.purity import trusted
from autograder.purity.student import Student
from autograder.purity.values import digest

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
_UNSET = object()


@dataclass(frozen=True)
class Key:
    group: str
    name: str


def public_names(module: types.ModuleType) -> dict[str, object]:
    """Public names of a module that are no modules: lazily imported submodules don't count."""
    ignored = _IGNORED.get(module.__name__, ())
    return {
        name: value
        for name, value in list(vars(module).items())
        if not (name.startswith("_") and not name.startswith("__import"))
        and name not in ignored
        and not issubclass(type(value), types.ModuleType)
    }


def watched_modules(student: Student) -> list[types.ModuleType]:
    """The modules a student may patch: the usual ones and all that they imported."""
    found = {name: sys.modules[name] for name in MODULES if name in sys.modules}
    for value in list(student.namespace.values()):
        if issubclass(type(value), types.ModuleType) and value is not student.module:
            name = getattr(value, "__name__", "")
            if not name.startswith("autograder"):
                found.setdefault(name, value)
    return list(found.values())


def _simple() -> dict[Key, object]:
    """Everything that has a value of its own; read by `repr` or identity."""
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
    monitoring = sys.modules.get("jax._src.monitoring")
    for name, value in vars(monitoring).items() if monitoring else ():
        if name.endswith("_listeners") and type(value) is list:
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


@dataclass
class ProcessState:
    """A picture of the process; `namespaces` keeps the modules' values themselves."""

    values: dict[Key, object]
    namespaces: dict[str, tuple[types.ModuleType, dict[str, object]]]
    threads: set[int | None]
    undo: list[Callable[[], None]]

    def restore(self) -> None:
        for step in self.undo:
            with contextlib.suppress(Exception):
                step()
        for module, names in self.namespaces.values():
            now = public_names(module)
            for name in now.keys() - names.keys():
                if name in vars(module):
                    del vars(module)[name]
            for name, value in names.items():
                if now.get(name, _UNSET) is not value:
                    vars(module)[name] = value


def _undo_steps() -> list[Callable[[], None]]:
    environ, folder = dict(os.environ), os.getcwd()
    filters, path = list(warnings.filters), list(sys.path)
    live_filters: Any = warnings.filters
    meta, hooks = list(sys.meta_path), list(sys.path_hooks)
    config = dict(getattr(jax.config, "values", {}))
    errors = np.geterr()
    limits = (sys.getrecursionlimit(), sys.getswitchinterval())
    collecting, thresholds = gc.isenabled(), gc.get_threshold()
    root, handlers = logging.getLogger(), list(logging.getLogger().handlers)
    level, disabled = root.level, logging.root.manager.disable
    streams = (sys.excepthook, sys.displayhook, sys.stdin, sys.unraisablehook)
    python, numpy_state = trusted.py_get_state(), trusted.np_get_state()
    modules = dict(sys.modules)
    monitoring = sys.modules.get("jax._src.monitoring")
    listeners = {
        name: list(value)
        for name, value in (vars(monitoring) if monitoring else {}).items()
        if name.endswith("_listeners") and type(value) is list
    }

    def environment() -> None:
        if dict(os.environ) != environ:
            os.environ.clear()
            os.environ.update(environ)
        if os.getcwd() != folder:
            os.chdir(folder)

    def interpreter() -> None:
        sys.path[:], sys.meta_path[:], sys.path_hooks[:] = path, meta, hooks
        sys.excepthook, sys.displayhook, sys.stdin, sys.unraisablehook = streams
        sys.setrecursionlimit(limits[0])
        sys.setswitchinterval(limits[1])
        gc.enable() if collecting else gc.disable()
        gc.set_threshold(*thresholds)
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.disable(disabled)

    def fakes() -> None:
        for name, module in list(sys.modules.items()):
            if name not in modules and getattr(module, "__spec__", None) is None:
                del sys.modules[name]
        for name, module in modules.items():
            if sys.modules.get(name) is not module:
                sys.modules[name] = module

    def warning_filters() -> None:
        if warnings.filters[:] != filters:
            live_filters[:] = filters
            warnings._filters_mutated() if hasattr(warnings, "_filters_mutated") else None  # type: ignore[attr-defined]

    def jax_config() -> None:
        for name, value in config.items():
            if jax.config.values[name] != value:
                jax.config.update(name, value)

    def monitors() -> None:
        for name, value in listeners.items():
            if vars(monitoring)[name] != value:
                vars(monitoring)[name][:] = value

    def generators() -> None:
        trusted.py_set_state(python)
        trusted.np_set_state(numpy_state)

    def numpy_errors() -> None:
        np.seterr(**errors)  # type: ignore[arg-type]

    return [
        environment,
        interpreter,
        fakes,
        warning_filters,
        jax_config,
        monitors,
        generators,
        numpy_errors,
    ]


def picture(modules: list[types.ModuleType], saving: bool = False) -> ProcessState:
    return ProcessState(
        _simple(),
        {m.__name__: (m, public_names(m)) for m in modules},
        {t.ident for t in trusted.live_threads()},
        _undo_steps() if saving else [],
    )


def changed_keys(before: ProcessState, after: ProcessState) -> list[Key]:
    """What differs, in a fixed order."""
    keys = [
        k for k in {**before.values, **after.values} if before.values.get(k) != after.values.get(k)
    ]
    for name, (_, old) in before.namespaces.items():
        new = after.namespaces.get(name, (None, {}))[1]
        keys += [
            Key(name, n) for n in {**old, **new} if old.get(n, _UNSET) is not new.get(n, _UNSET)
        ]
    if after.threads - before.threads:
        keys.append(Key("threads", "a thread"))
    return sorted(keys, key=lambda k: (k.group, k.name))


def value_of(key: Key) -> object:
    """One item of the picture, read anew."""
    if key.group in sys.modules and key.group not in ("sys", "random", "warnings", "logging", "gc"):
        return vars(importlib.import_module(key.group)).get(key.name)
    if key.group == "random" and key.name in ("random", "numpy.random"):
        return random_states()[key]
    simple = _simple()
    if key in simple:
        return simple[key]
    module = sys.modules.get(key.group)
    return vars(module).get(key.name) if module else None


_RULES = {
    "jax.config": "jax-config-changed",
    "environment": "environment-changed",
    "random": "random-state",
    "threads": "thread",
    "jax.monitoring": "probe-tampered",
    "decimal": "context-mutated",
}


def rule_for(key: Key, patched: bool) -> str:
    if patched:
        return "module-patched"
    return _RULES.get(key.group, "interpreter-changed")


def in_words(key: Key, patched: bool) -> str:
    if patched:
        return f"`{key.group}.{key.name}` is replaced"
    match key.group:
        case "jax.config":
            return f"the option `{key.name}` of jax.config is changed"
        case "environment":
            return f"{key.name} of the environment is changed"
        case "random":
            return f"the global random state of `{key.name}` is used"
        case "threads":
            return "a thread is left running"
        case "jax.monitoring":
            return f"listeners of jax.monitoring are changed ({key.name})"
    return f"`{key.group}.{key.name}` is changed"
