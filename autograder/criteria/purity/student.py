"""Tells which frames, functions, classes and lines are the student's."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, ModuleType

from autograder.core.student_code import (
    Line,
    own_namespaces,
    source_line,
    student_files,
    unwrap,
)
from autograder.criteria.purity.values import class_dict, class_name

_GENERATED = ("<string>", "<frozen", "<__array_function__")
_STDLIB = sysconfig.get_paths()["stdlib"]
_SITE = ("site-packages", "dist-packages")
_JAX = tuple(
    os.path.dirname(os.path.abspath(getattr(sys.modules.get(name), "__file__", None) or "/nowhere"))
    for name in ("jax", "jaxlib", "autograder")
)
_RUBRICS = os.path.join(_JAX[-1], "rubrics")
# In these files, Python itself reads files, for imports and for tracebacks.
_QUIET = ("<frozen importlib", "<frozen zipimport", os.path.join(_STDLIB, "linecache.py"))
_HEAP_TYPE = 1 << 9


@functools.lru_cache(maxsize=4096)
def _is_library(filename: str, jax_too: bool) -> bool:
    """Check whether a file's functions may stand between the student's code and its effect."""
    if filename.startswith(_GENERATED):
        return True
    if filename.startswith(_STDLIB) and not any(s in filename for s in _SITE):
        return True
    return jax_too and not filename.startswith(_JAX)


@dataclass(frozen=True)
class StudentModule:
    """One student's module: its namespace and the files its code came from.

    `spaces` is this namespace, and those of the student's own modules that it uses, each with what
    stands before its names where they are told.
    """

    module: ModuleType
    namespace: dict
    files: frozenset[str]
    spaces: tuple[tuple[str, dict], ...]

    @classmethod
    def of(cls, module: ModuleType, function: object) -> StudentModule:
        files = set(student_files(module))
        inner = unwrap(function)
        code = getattr(inner, "__code__", None)
        name = code.co_filename if type(code) is CodeType else _RUBRICS
        if not (_is_library(name, True) or name.startswith(_RUBRICS)):  # a kit's adapter
            files.add(name)
        namespace, *others = own_namespaces(module)
        named = ((f"{os.path.splitext(os.path.basename(s['__file__']))[0]}.", s) for s in others)
        return cls(module, namespace, frozenset(files), (("", namespace), *named))

    def owns_code(self, code: CodeType) -> bool:
        return code.co_filename in self.files

    @property
    def own_files(self) -> frozenset[str]:
        """The student's files, without the generated code of `dataclass` and `namedtuple`.

        Such code has the same file name in every module.
        """
        return frozenset(name for name in self.files if not name.startswith(_GENERATED))

    def owns_function(self, function: FunctionType) -> bool:
        return function.__globals__ is self.namespace or self.owns_code(function.__code__)

    def owns_frame(self, frame: FrameType) -> bool:
        name = frame.f_code.co_filename
        if name.startswith(_GENERATED) and name not in self.files:
            return False  # methods that dataclass and namedtuple write
        return frame.f_globals is self.namespace or name in self.files

    def owns_type(self, cls: type) -> bool:
        """Check whether a class is the student's, whatever its `__module__` claims."""
        if not type.__dict__["__flags__"].__get__(cls) & _HEAP_TYPE:  # type: ignore[attr-defined]
            return False
        members = class_dict(cls)
        claimed = members.get("__module__")
        if claimed == self.namespace.get("__name__"):
            return True
        if any(type(v) is FunctionType and self.owns_function(v) for v in members.values()):
            return True
        home = sys.modules.get(claimed) if type(claimed) is str else None
        if home is None:
            return True
        name = class_name(cls)
        if "<locals>" in name or name.startswith("_"):
            return False
        found: object = home
        for part in name.split("."):
            found = vars(found).get(part) if hasattr(found, "__dict__") else None
        return found is not cls and not vars(home).get("__file__", "").startswith(_JAX)

    def cause(self, frame: FrameType | None, libraries: bool = False) -> FrameType | None:
        """Find the student's frame that caused an event in `frame`; None if a library did.

        Frames of the standard library may lie in between. With `libraries`, so may those of any
        library but JAX and this package. Imports and the printing of tracebacks never count.
        """
        while frame is not None:
            if self.owns_frame(frame):
                return frame
            name = frame.f_code.co_filename
            if name.startswith(_QUIET) or not _is_library(name, libraries):
                return None
            frame = frame.f_back
        return None

    def code_at(self, line: int | None, filename: str | None = None) -> str:
        """Return the text of a line; empty if the line could be in several cells."""
        if isinstance(line, Line):
            return line.text
        names = [filename] if filename else list(self.files)
        return source_line(names[0], line) if len(names) == 1 else ""


def packages_since(known: set[str], student: StudentModule) -> list[str]:
    """List the modules that are not in `known`, without the student's own files."""
    folders = {os.path.dirname(os.path.abspath(name)) for name in student.own_files}
    own = tuple(os.path.join(folder, "") for folder in folders | {os.getcwd()})
    found = []
    for name, module in list(sys.modules.items()):
        if name in known or module is None:
            continue
        file = getattr(module, "__file__", None) or _STDLIB  # built in, or a namespace
        packaged = _is_library(file, False) or any(site in file for site in _SITE)
        if packaged or not os.path.abspath(file).startswith(own):
            found.append(name)
    return found
