"""Which modules a student might patch, and which of their names count."""

from __future__ import annotations

import sys
import types

from autograder.criteria.purity.student import Student

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
