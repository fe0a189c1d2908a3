"""Running the cells of a notebook in a module of their own, without a Jupyter kernel."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from autograder.core.notebook import Cell

# `%magic`, `!command` and `name?`: rare in submissions, and IPython costs 0.3 s to import.
_NEEDS_IPYTHON = re.compile(r"^[ \t]*[%!]|\?[ \t]*$|=[ \t]*[%!]", re.MULTILINE)


@dataclass(frozen=True)
class CellError:
    """A cell that raised: which one, and what."""

    cell: Cell
    error: BaseException


def _transform(source: str, module: ModuleType) -> str:
    if not _NEEDS_IPYTHON.search(source):
        return source
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance(user_module=module)
    vars(module).setdefault("get_ipython", lambda: shell)
    return shell.transform_cell(source)


def cell_file(cell: Cell, directory: Path) -> Path:
    """Where `run_cells` writes a cell's source."""
    return directory / f"{re.sub(r'[^A-Za-z0-9_-]', '-', cell.id)}.py"


def run_cells(cells: Iterable[Cell], directory: Path) -> tuple[ModuleType, list[CellError]]:
    """Run cells one after another in a fresh ``__main__`` module; a cell that fails is passed over.

    Each cell's source is written to a file in `directory`, so that tracebacks, `inspect` and
    JAX's own source information can name its lines.
    """
    module = ModuleType("__main__")
    sys.modules["__main__"] = module  # dataclasses and registrations look their module up
    errors = []
    for cell in cells:
        file = cell_file(cell, directory)
        try:
            source = _transform(cell.source, module)
            file.write_text(source, encoding="utf-8")
            tree = ast.parse(source, str(file))
            exec(compile(tree, str(file), "exec", dont_inherit=True), vars(module))
        except (Exception, SystemExit) as error:
            errors.append(CellError(cell, error))
    return module, errors
