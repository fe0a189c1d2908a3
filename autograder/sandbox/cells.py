"""Runs the cells of a notebook in a module of their own, without a Jupyter kernel."""

from __future__ import annotations

import ast
import linecache
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from autograder.core.magics import without_magics
from autograder.core.notebook import Cell

# Magics that cannot be left out, such as `times = %timeit -o f(x)`, are rare; IPython takes 0.3 s.
_NEEDS_IPYTHON = re.compile(r"^[ \t]*[%!]|\?[ \t]*$|=[ \t]*[%!]", re.MULTILINE)


def _is_plain(source: str) -> bool:
    """Whether a cell is plain Python, and so runs as the allow-list has read it.

    IPython would take ``...`` off the beginning of lines inside strings, for example.
    """
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


class CellError(NamedTuple):
    """A cell that raised, and the exception."""

    cell: Cell
    error: BaseException


def _transform(source: str, module: ModuleType) -> str:
    source = without_magics(source)
    if not _NEEDS_IPYTHON.search(source) or _is_plain(source):
        return source
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(user_module=module)
    vars(module).setdefault("get_ipython", lambda: shell)
    return shell.transform_cell(source)


def cell_file(cell: Cell, directory: Path) -> Path:
    """Return the file that `run_cells` writes a cell's source to."""
    return directory / f"{re.sub(r'[^A-Za-z0-9_-]', '-', cell.id)}.py"


def run_cells(cells: Iterable[Cell], directory: Path) -> tuple[ModuleType, list[CellError]]:
    """Run cells one after another in a new ``__main__`` module. A cell that fails is skipped.

    Each cell's source is written to a file in `directory`, so that tracebacks, `inspect` and
    JAX's source information can name its lines.
    """
    module = ModuleType("__main__")
    sys.modules["__main__"] = module  # dataclasses look up the module that they are defined in
    errors = []
    for cell in cells:
        file = cell_file(cell, directory)
        try:
            source = _transform(cell.source, module)
            file.write_text(source, encoding="utf-8")
            linecache.checkcache(str(file))  # another notebook's cell had the same name
            tree = ast.parse(source, str(file))
            exec(compile(tree, str(file), "exec", dont_inherit=True), vars(module))
        except (Exception, SystemExit) as error:
            errors.append(CellError(cell, error))
    return module, errors
