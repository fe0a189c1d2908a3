"""The student's code: its files, frames and lines, and how it is called and silenced.

The code may come from a file on disk, from notebook cells (each cell has a pseudo file name
registered with `linecache`) or from a plain `exec`; all three are one module object here.
"""

from __future__ import annotations

import ast
import contextlib
import dis
import functools
import io
import linecache
import os
import site
import sys
import sysconfig
import types
import warnings
from collections.abc import Callable, Collection, Iterator
from importlib.util import find_spec
from types import CodeType, FrameType, ModuleType
from typing import Any

IN_A_CELL = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
"""Flag of `compile` for the source of a cell: as in a notebook, `await` may stand at the top."""

_KITS = ("autograder", "plnkit")
"""The kit's packages, which lie in the folder that its own tests run in."""


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and those of the functions, classes and lambdas inside it."""
    yield code
    for const in code.co_consts:
        if isinstance(const, CodeType):
            yield from nested_codes(const)


def _functions(value: object, namespace: dict, depth: int = 0) -> Iterator[types.FunctionType]:
    """Python functions of `namespace` behind a value: plain, wrapped by jit, or methods."""
    try:
        value = unwrap(value)
    except Exception:  # an object of the student's may do anything
        return
    if isinstance(value, types.FunctionType):
        if value.__globals__ is namespace:
            yield value
    elif isinstance(value, type) and depth == 0 and value.__module__ == namespace.get("__name__"):
        for member in vars(value).values():
            yield from _functions(member, namespace, depth + 1)


def student_functions(module: ModuleType) -> list[types.FunctionType]:
    """Return the Python functions that `module` defines, unwrapped from jit and partial.

    Those of the student's own modules that it uses are among them.
    """
    found = []
    for space in own_namespaces(module):
        found += [f for value in list(space.values()) for f in _functions(value, space)]
    return found


def own_namespaces(module: ModuleType) -> list[dict[str, Any]]:
    """Return the namespaces of the student's code: of `module`, and of own modules that it uses.

    An own module is a file beside the notebook, in the folder that Python runs in.
    """
    here = os.path.normcase(os.path.join(os.getcwd(), ""))
    spaces = [vars(module)]
    for space in spaces:  # grows
        for value in list(space.values()):
            other = _namespace_behind(value)
            if other is not None and all(other is not s for s in spaces) and _is_own(other, here):
                spaces.append(other)
    return spaces


def _namespace_behind(value: object) -> dict[str, Any] | None:
    """Return the namespace of a module, or that which a function or class was defined in."""
    if isinstance(value, ModuleType):
        return vars(value)
    if isinstance(value, type):
        home = sys.modules.get(str(value.__module__))
        return None if home is None else vars(home)
    try:
        inner = unwrap(value) if callable(value) else value
    except Exception:  # an object of the student's may do anything
        return None
    return inner.__globals__ if isinstance(inner, types.FunctionType) else None


def _is_own(space: dict[str, Any], here: str) -> bool:
    """Whether a namespace is that of a file which was imported from a folder, or run in it."""
    file, name = space.get("__file__"), space.get("__name__") or "__main__"  # %run takes it away
    path = os.path.normcase(os.path.abspath(file)) if isinstance(file, str) else ""
    if not path.startswith(here):
        return False
    if name == "__main__":
        return True
    stem = os.path.normcase(name.replace(".", os.sep))
    is_imported = path[len(here) :] in (f"{stem}.py", os.path.join(stem, "__init__.py"))
    return is_imported and name.split(".")[0] not in _KITS


def used_functions(module: ModuleType, names: Collection[str]) -> list[types.FunctionType]:
    """Return the functions that some names stand for in `module`, and all that these use of it."""
    namespace, todo = vars(module), list(names)
    found: dict[types.FunctionType, None] = {}
    for name in todo:  # grows
        for function in _functions(namespace.get(name), namespace):
            if function not in found:
                found[function] = None
                used = (n for code in nested_codes(function.__code__) for n in code.co_names)
                todo += [n for n in used if n in namespace]
    return list(found)


def student_files(module: ModuleType) -> set[str]:
    """Return the file names (`co_filename`) of the student's code: its file or its cells."""
    files = {f.__code__.co_filename for f in student_functions(module)}
    path = getattr(module, "__file__", None)
    if path:
        files.add(path)
    return files


def student_codes(module: ModuleType) -> set[CodeType]:
    """Return the code objects of all functions the student defined, nested ones included."""
    return {code for f in student_functions(module) for code in nested_codes(f.__code__)}


def is_student_frame(frame: FrameType, module: ModuleType | None, files: Collection[str]) -> bool:
    """Whether `frame` runs the student's code, or code that they returned as theirs."""
    if frame.f_code is called.__code__ or frame.f_code.co_filename in files:
        return True
    return module is not None and frame.f_globals is vars(module)


def called(function: Callable[..., Any], *args: Any) -> Any:
    """Call the student's function; this frame marks that its errors are the student's.

    A library's function, or one written in C, has no frame of the student's code.
    """
    return function(*args)


def is_interruption(error: BaseException) -> bool:
    """Whether someone has interrupted a call, by Ctrl-C, say: no code raised that itself."""
    if not isinstance(error, KeyboardInterrupt):
        return False
    at = error.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    return at is None or at.tb_frame.f_code.co_code[at.tb_lasti] != dis.opmap["RAISE_VARARGS"]


def unwrap(function: object) -> object:
    """Find the plain function inside jit, vmap, a partial or a method."""
    for _ in range(50):
        inner = (
            getattr(function, "__wrapped__", None)
            or getattr(function, "__func__", None)
            or (function.func if isinstance(function, functools.partial) else None)
        )
        if inner is None:
            break
        function = inner
    return function


class Line(int):
    """A 1-based line number that remembers its file: a notebook has one file a cell."""

    file: str

    def __new__(cls, number: int, file: str) -> Line:
        line = super().__new__(cls, number)
        line.file = file
        return line

    @classmethod
    def of(cls, frame: FrameType) -> Line:
        """Return the line that `frame` is at."""
        return cls(frame.f_lineno, frame.f_code.co_filename)

    @property
    def text(self) -> str:
        """The stripped text of the line; empty when its source is not known."""
        return source_line(self.file, self)


def source_line(filename: str, line: int | None) -> str:
    """Return the stripped text of one source line; empty when the source is not known."""
    return linecache.getline(filename, line).strip() if line else ""


def source_text(filename: str) -> str:
    """Return the whole source of a file or cell; empty when it is not known."""
    return "".join(linecache.getlines(filename))


def bound_names(statement: ast.stmt) -> set[str]:
    """Return the names that a definition or an assignment binds, where it stands."""
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            nodes = [node for target in targets for node in ast.walk(target)]
        case ast.AnnAssign(target=target):
            nodes = [target]
        case _:
            return set()
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Suppress all output and warnings of Python and XLA: they would bury the card."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        _quiet_descriptor(),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        yield


@contextlib.contextmanager
def _quiet_descriptor() -> Iterator[None]:
    # XLA writes some errors, such as that of a donated buffer, directly to descriptor 2.
    try:
        kept = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def spell(path: str) -> str:
    """Spell a path in the one way in which two can be compared."""
    return os.path.normcase(os.path.realpath(path))


@functools.cache
def _folders() -> tuple[str, ...]:
    paths = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    jax = find_spec("jax")  # it may come from a checkout
    paths += [*site.getsitepackages(), site.getusersitepackages()]
    paths += [os.path.dirname(jax.origin)] if jax and jax.origin else []
    # The longest first: `site-packages` may be in the folder of the standard library.
    folders = {os.path.join(spell(path), "") for path in paths}
    return tuple(sorted(folders, key=lambda folder: (-len(folder), folder)))


@functools.cache
def installed_in(file: str) -> str:
    """Return the folder of installed packages, or of the standard library, that a file is in.

    Empty if it is in none. The folder ends in a separator.
    """
    path = "" if file.startswith("<") else spell(file)
    return next((folder for folder in _folders() if path.startswith(folder)), "")


def is_installed(file: str) -> bool:
    """Whether a file belongs to an installed package, to JAX or to the standard library."""
    return bool(installed_in(file))
