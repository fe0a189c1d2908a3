"""Tells files of installed packages and of Python itself from a project's own."""

from __future__ import annotations

import functools
import os
import site
import sysconfig

import jax


def _spell(path: str) -> str:
    """Spell a path in the one way in which two can be compared."""
    return os.path.normcase(os.path.realpath(path))


@functools.cache
def _folders() -> tuple[str, ...]:
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    paths += [*site.getsitepackages(), site.getusersitepackages(), os.path.dirname(jax.__file__)]
    return tuple(os.path.join(_spell(path), "") for path in paths)


@functools.cache
def is_installed(file: str) -> bool:
    """Whether a file belongs to an installed package, to JAX or to the standard library."""
    return not file.startswith("<") and _spell(file).startswith(_folders())
