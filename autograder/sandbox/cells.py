"""Runs the cells of a notebook in a module of their own, without a Jupyter kernel.

They run as IPython runs them: statement by statement, so that what stands above an error counts
even where Python cannot compile the statement, inside a running event loop, and with a top-level
`await` where the student wrote one.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import inspect
import linecache
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from autograder.model.magics import without_magics
from autograder.model.notebook import Cell
from autograder.sandbox.kernel_shell import KernelShell

# Magics that cannot be left out, such as `times = %timeit -o f(x)`, are rare; IPython takes 0.3 s.
_NEEDS_IPYTHON = re.compile(r"^[ \t]*[%!]|\?[ \t]*$|=[ \t]*[%!]", re.MULTILINE)


def _is_plain(source: str) -> bool:
    """Whether a cell is plain Python, and so runs as `autograder.source` has read it.

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


def _transform(source: str, shell: KernelShell) -> str:
    source = without_magics(source)
    if not _NEEDS_IPYTHON.search(source) or _is_plain(source):
        return source
    return shell.get_ipython().transform_cell(source)


def cell_file(cell: Cell, directory: Path) -> Path:
    """Return the file that `run_cells` writes a cell's source to."""
    return directory / f"{re.sub(r'[^A-Za-z0-9_-]', '-', cell.id)}.py"


def run_cells(cells: Iterable[Cell], directory: Path) -> tuple[ModuleType, list[CellError]]:
    """Run cells one after another in a new ``__main__`` module. A cell that fails is skipped.

    Of a cell with `only`, just these statements are run.

    Each cell's source is written to a file in `directory`, so that tracebacks, `inspect` and
    JAX's source information can name its lines.
    """
    module = ModuleType("__main__")
    sys.modules["__main__"] = module  # dataclasses look up the module that they are defined in
    errors: list[CellError] = []
    loop = asyncio.new_event_loop()
    with contextlib.closing(loop), contextlib.suppress(RuntimeError):
        # A cell that stops the loop, which raises this error, is the last one, as in a kernel.
        loop.run_until_complete(_run_all(cells, module, directory, errors))
    return module, errors


async def _run_all(
    cells: Iterable[Cell], module: ModuleType, directory: Path, errors: list[CellError]
) -> None:
    shell = KernelShell(module)
    for cell in cells:
        try:
            await _run(cell, cell_file(cell, directory), shell, vars(module))
        except BaseException as error:  # a kernel survives them all
            errors.append(CellError(cell, error))
        await asyncio.sleep(0)  # tasks that cells have started go on


async def _run(cell: Cell, file: Path, shell: KernelShell, names: dict[str, Any]) -> None:
    shell.begin(cell.source)
    source = _transform(cell.source, shell)
    file.write_text(source, encoding="utf-8")
    linecache.checkcache(str(file))  # another notebook's cell had the same name
    flags = ast.PyCF_ONLY_AST | shell.compile.flags
    parsed = compile(source, str(file), "exec", flags, dont_inherit=True)
    last = parsed.body[-1] if parsed.body else None
    chosen = parsed.body if cell.only is None else [parsed.body[i] for i in cell.only]
    with shell.capturing(cell.source):
        for statement in chosen:
            is_shown = statement is last and isinstance(statement, ast.Expr)
            tree = ast.Expression(statement.value) if is_shown else ast.Module([statement], [])
            mode = "eval" if is_shown else "exec"
            code = shell.compile(tree, str(file), mode)
            value = eval(code, names)
            if code.co_flags & inspect.CO_COROUTINE:
                value = await value
            if is_shown and not source.rstrip().endswith(";"):
                shell.keep_result(value)
