"""Reads and restores the process: modules, configuration, environment, random states, hooks.

The public modules, and the code of these checks, are recorded when this package is imported. So
patches that were made while the student's code was loaded are found.
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
from typing import Any, NamedTuple

import jax
import numpy as np

from autograder.core import jax_access
from autograder.core.seal import Seal
from autograder.criteria.purity import source
from autograder.criteria.purity.findings import Findings
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
_MODULES = _STANDARD.split() + _SCIENTIFIC.split()
# Names that Python, IPython and test runners set for themselves.
_SYSTEM = """
    stdout stderr stdin last_type last_value last_traceback last_exc modules path argv ps1 ps2
    displayhook tracebacklimit dont_write_bytecode
"""
_IGNORED = {
    "builtins": {"_", "__", "___", "input", "display", "get_ipython", "__build_class__"},
    "sys": set(_SYSTEM.split()),
    "time": {"tzname", "timezone", "altzone", "daylight"},  # `time.tzset` sets them
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


class Key(NamedTuple):
    """Names an item of the process: a setting of a group, or a value of a module."""

    group: str
    name: str


def _token(value: object, levels: int = 2) -> object:
    """Reduce a value to what can be compared without running a student's `__eq__`."""
    if levels and type(value) in (list, tuple):
        return [_token(part, levels - 1) for part in value]  # type: ignore[attr-defined]
    return value if type(value) in _BY_VALUE else id(value)


class _Setting(NamedTuple):
    """Reads and writes an item of the process or, if it has no name, a dict of items."""

    group: str
    name: str
    read: Callable[[], Any]
    write: Callable[[Any], object] | None
    token: Callable[[object], object] = _token

    def items(self) -> dict[str, Any]:
        return {self.name: self.read()} if self.name else self.read()

    def changed_keys(self, saved: dict[str, Any]) -> list[Key]:
        now = self.items()
        before = {name: self.token(value) for name, value in saved.items()}
        after = {name: self.token(value) for name, value in now.items()}
        changed = [n for n in {**saved, **now} if before.get(n, _UNSET) != after.get(n, _UNSET)]
        if self.group == "sys.modules":
            changed = [n for n in changed if _is_made_up(n, saved) or _is_made_up(n, now)]
        return [Key(self.group, name) for name in changed]


def _public_names(module: types.ModuleType) -> dict[str, object]:
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
    found = {name: sys.modules[name] for name in _MODULES if name in sys.modules}
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
    """Restore replaced modules and remove those put there by hand; imported modules stay."""
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
    def write(saved: object) -> None:
        setattr(owner, name, saved)

    return _Setting(group, name, lambda: getattr(owner, name, None), write)


def _list(group: str, owner: object, name: str) -> _Setting:
    """Watch the content of a list. The list itself may be replaced."""

    def write(saved: list) -> None:
        getattr(owner, name)[:] = saved

    return _Setting(group, name, lambda: list(getattr(owner, name)), write)


def _module(module: types.ModuleType) -> _Setting:
    """Watch which objects a module's public names refer to."""

    def write(saved: dict[str, Any]) -> None:
        for name in _public_names(module).keys() - saved.keys():
            del vars(module)[name]
        vars(module).update(saved)

    return _Setting(module.__name__, "", lambda: _public_names(module), write, id)


def _settings(modules: list[types.ModuleType]) -> list[_Setting]:
    """List what is compared and restored, except for random states and threads."""
    options, root = np.get_printoptions, logging.getLogger()
    monitoring = sys.modules.get("jax._src.monitoring")
    listeners = [n for n, v in vars(monitoring).items() if type(v) is list] if monitoring else []
    signals = [getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)]
    rows = [
        ("jax.config", "", lambda: dict(getattr(jax.config, "values", {})), _write_config),
        ("environment", "", _read_environment, _write_environment),
        ("sys.modules", "", lambda: dict(sys.modules), _write_modules),
        ("numpy", "errstate", lambda: [*np.geterr().items()], lambda v: np.seterr(**dict(v))),
        ("numpy", "printoptions", lambda: repr(sorted(options().items(), key=str)), None),
        ("sys", "recursionlimit", sys.getrecursionlimit, sys.setrecursionlimit),
        ("sys", "switchinterval", sys.getswitchinterval, sys.setswitchinterval),
        ("gc", "enabled", gc.isenabled, lambda on: gc.enable() if on else gc.disable()),
        ("gc", "threshold", gc.get_threshold, lambda saved: gc.set_threshold(*saved)),
        ("warnings", "filters", lambda: list(warnings.filters), _write_filters),
        ("logging", "root", lambda: root.level, root.setLevel),
        ("logging", "disable", lambda: logging.root.manager.disable, logging.disable),
        ("decimal", "context", lambda: repr(decimal.getcontext()).partition("flags")[0], None),
        *(("signal", s.name, lambda s=s: signal.getsignal(s), None) for s in signals),
    ]
    return [
        *(_Setting(*setting) for setting in rows),
        *(_attribute("sys", sys, name) for name in _SYS_ATTRIBUTES),
        *(_list("sys", sys, name) for name in ("path", "meta_path", "path_hooks", "argv")),
        _attribute("logging", root, "disabled"),
        _list("logging", root, "handlers"),
        *(_list("jax.monitoring", monitoring, n) for n in listeners if n.endswith("_listeners")),
        *map(_module, modules),
    ]


def _is_made_up(name: str, modules: dict[str, Any]) -> bool:
    """Check whether a module was put into `sys.modules` by hand rather than imported."""
    module = modules.get(name)
    return module is not None and getattr(module, "__spec__", None) is None and "cython" not in name


def random_states() -> dict[str, object]:
    """Read the global random states, by the names of their modules."""
    numpy_state = jax_access.np_get_state()
    if isinstance(numpy_state, tuple):  # of the Mersenne twister: arrays are slow to print
        numpy_state = [x.tobytes() if isinstance(x, np.ndarray) else x for x in numpy_state]
    return {"random": jax_access.py_get_state(), "numpy.random": repr(numpy_state)}


def value_of(key: Key) -> object:
    """Read one item of the process; values can be compared with `==`."""
    module = sys.modules.get(key.group)
    for setting in _settings([module] if module else []):
        if setting.group == key.group and setting.name in ("", key.name):
            return setting.token(setting.items().get(key.name))
    return None


class ProcessSnapshot:
    """Remembers the process as it is now, modules' values included, and restores it."""

    def __init__(self, student: StudentModule) -> None:
        modules = _watched_modules(student)
        self._modules = {module.__name__ for module in modules}
        self._saved = [(setting, setting.items()) for setting in _settings(modules)]
        self._threads = {t.ident for t in jax_access.live_threads()}
        self._random = jax_access.py_get_state(), jax_access.np_get_state()

    def restore(self) -> None:
        """Restore what has changed; a step that fails does not stop the others."""
        for setting, saved in self._saved:
            with contextlib.suppress(Exception):
                if setting.write is not None and setting.changed_keys(saved):
                    setting.write(saved[setting.name] if setting.name else saved)
        jax_access.py_set_state(self._random[0])
        jax_access.np_set_state(self._random[1])

    def changed_keys(self) -> list[Key]:
        """List what has changed since the snapshot, in a fixed order."""
        keys = [key for setting, saved in self._saved for key in setting.changed_keys(saved)]
        if {t.ident for t in jax_access.live_threads()} - self._threads:
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
        return key.group in self._modules


_baseline: list[tuple[types.ModuleType, dict[str, object]]] = []
_seals: list[Seal] = []


def record() -> None:
    """Record the modules as they are now; called once, when the whole package is imported."""
    _seals.extend(map(Seal, ("autograder.criteria.purity", "autograder.core.jax_access")))
    modules = [sys.modules[name] for name in _MODULES if name in sys.modules]
    _baseline.extend((module, _public_names(module)) for module in modules)


def _is_students(
    value: object, module: types.ModuleType, name: str, student: StudentModule
) -> bool:
    """Check whether the student's module made a replacement, rather than other code."""
    if type(value) is types.FunctionType:
        return student.owns_function(value)
    if isinstance(value, type) or student.owns_type(type(value)):
        return student.owns_type(value if isinstance(value, type) else type(value))
    return not source.trees(student) or source.assigns_to(student, module, name)


def report_patches(student: StudentModule, findings: Findings) -> None:
    """Report and undo patches made while the student's code was loaded."""
    for module, names in _baseline:
        now = _public_names(module)
        for name, value in names.items():
            replacement = now.get(name, value)
            if replacement is not value and _is_students(replacement, module, name, student):
                line = source.stores_attribute(student, name)
                findings.add("module-patched", f"`{module.__name__}.{name}` was replaced", line)
                vars(module)[name] = value
    report_tampering(findings)


def report_tampering(findings: Findings) -> None:
    """Report and undo changes to the code of these checks."""
    for seal in _seals:
        for path in seal.restore():
            line = source.stores_attribute(findings.student, path.rpartition(".")[2])
            findings.add("probe-tampered", f"`{path}` was replaced", line)
