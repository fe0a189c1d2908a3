"""Tells which frames, functions, classes and lines are the student's, and which names they use."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, ModuleType

from autograder.criteria.purity.values import class_dict, class_name, instance_dict
from autograder.model.student_code import (
    own_namespaces,
    student_codes,
    student_files,
    unwrap,
)

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
_INTERPRETER = """
    __builtins__ __loader__ __spec__ __cached__ __doc__ __warningregistry__ __file__
    In Out _ih _oh _dh _i _ii _iii _ __ ___ get_ipython exit quit
"""
_SKIP_GLOBALS = frozenset(_INTERPRETER.split())
_OFTEN_PATCHED = ("builtins", "sys", "os", "time", "random", "math", "numpy", "jax", "jax.numpy")


_KNOWN = {name: frozenset(vars(m)) for name, m in list(sys.modules.items()) if m is not None}
"""The names of each module before student code could add one."""


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
    stands before its names where they are reported.
    """

    module: ModuleType
    namespace: dict
    files: frozenset[str]
    spaces: tuple[tuple[str, dict], ...]

    @classmethod
    def of(cls, module: ModuleType, function: object) -> StudentModule:
        """Return a student's module, with the files that are theirs."""
        files = set(student_files(module))
        inner = unwrap(function)
        code = getattr(inner, "__code__", None)
        name = code.co_filename if type(code) is CodeType else _RUBRICS
        if not (_is_library(name, True) or name.startswith(_RUBRICS)):  # a kit's adapter
            files.add(name)
        namespace, *others = own_namespaces(module)
        named = ((f"{os.path.splitext(os.path.basename(s['__file__']))[0]}.", s) for s in others)
        return cls(module, namespace, frozenset(files), (("", namespace), *named))

    @functools.cached_property
    def used_names(self) -> set[str]:
        """The names of globals and attributes in the student's code."""
        return {name for code in student_codes(self.module) for name in code.co_names}

    @functools.cached_property
    def watched_modules(self) -> list[ModuleType]:
        """The modules that the student's code imports or uses, and those often patched."""
        found = {name: sys.modules[name] for name in _OFTEN_PATCHED if name in sys.modules}
        todo = [value for _, space in self.spaces for value in list(space.values())]
        own = [id(space) for _, space in self.spaces]
        for value in todo:  # grows
            if not isinstance(value, ModuleType) or id(vars(value)) in own:
                continue
            name = getattr(value, "__name__", "")
            if name not in found and not name.startswith("autograder"):
                found[name] = value
                todo += [v for n, v in list(vars(value).items()) if n in self.used_names]
        return list(found.values())

    def names(self, only: str | None = None) -> Iterator[tuple[dict, str, str]]:
        """Yield what the student's code can store in by name: a namespace, a name, and its path.

        These are the student's globals, the names that were added to modules of libraries, and
        functions of libraries that the code uses and that have attributes.
        """
        for prefix, space in self.spaces:
            for name in list(space):
                if name not in _SKIP_GLOBALS and only in (None, f"{prefix}{name}"):
                    yield space, name, f"{prefix}{name}"
            if only is not None and only.removeprefix(prefix) in space:
                return
        for module in self.watched_modules:
            space = vars(module)
            added = space.keys() - _KNOWN.get(module.__name__, space.keys())
            for name in sorted(added | (self.used_names & space.keys())):
                # That the name is bound anew is seen as a change of the process: what it held is
                # inside of that.
                value, path = space[name], f"{module.__name__}.{name}<value>"
                stores = name in added or (callable(value) and bool(instance_dict(value)))
                stores = stores and not isinstance(value, ModuleType) and name[:1] != "_"
                if stores and only in (None, path):
                    yield space, name, path

    def owns_code(self, code: CodeType) -> bool:
        """Return whether code is the student's."""
        return code.co_filename in self.own_files

    @functools.cached_property
    def own_files(self) -> frozenset[str]:
        """The student's files, without the generated code of `dataclass` and `namedtuple`.

        Such code has the same file name in every module.
        """
        return frozenset(name for name in self.files if not name.startswith(_GENERATED))

    def owns_function(self, function: FunctionType) -> bool:
        """Return whether a function is the student's."""
        return function.__globals__ is self.namespace or self.owns_code(function.__code__)

    def owns_frame(self, frame: FrameType) -> bool:
        """Return whether a frame runs the student's code."""
        name = frame.f_code.co_filename
        if name.startswith(_GENERATED):  # methods that dataclass and namedtuple write
            return frame.f_globals is self.namespace and name in self.files
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
