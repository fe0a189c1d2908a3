"""Which run of a notebook's cell a function in the kernel comes from, and whether it is the last.

A kernel keeps what a cell defined after the cell was renamed, edited or deleted. The grader runs
the saved file, which no longer has it. The cells that run after the kit was imported are known by
their ids. Where the notebook's path is known, its saved cells are compared too.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import sys
import time
import traceback
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from autograder.errors.error_finding import error_finding
from autograder.errors.jax_errors import CELL_ERROR
from autograder.learner import sentences
from autograder.model.failed_cells import FailedCell, note_cell
from autograder.model.notebook import statements
from autograder.model.reasons import KIT_ERROR
from autograder.model.student_code import unwrap


class CellRun(NamedTuple):
    """One run of a cell: the cell's id, its source, and when it ran."""

    cell: str
    source: str
    at: float


_runs: dict[int, CellRun] = {}
"""By execution count, as in `In[7]`."""


def _shell() -> Any:
    """Return the notebook's shell; None in a script."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


def watch_cells() -> bool:
    """Note each run of a cell from now on, and return whether this is a notebook."""
    shell = _shell()
    if shell is None:
        return False
    shell.events.register("pre_run_cell", _note_start)
    shell.events.register("post_run_cell", _note_run)
    return True


def _note_start(info: Any) -> None:
    with contextlib.suppress(Exception):
        if info.store_history and info.cell_id:
            number = len(_shell().history_manager.input_hist_raw)  # it is added to them next
            _runs[number] = CellRun(str(info.cell_id), info.raw_cell, time.time())


def _note_run(result: Any) -> None:
    with contextlib.suppress(Exception):  # a cell's own error stays the only one that is shown
        _note_failure(result)
    cell = getattr(result.info, "cell_id", None)
    if result.execution_count is not None and cell:
        _runs[result.execution_count] = CellRun(str(cell), result.info.raw_cell, time.time())


def _note_failure(result: Any) -> None:
    """Note that a cell failed, until it has run to its end."""
    error = result.error_before_exec or result.error_in_exec
    source = str(result.info.raw_cell)
    failed = None
    if error is not None:
        files = {frame.filename for frame in traceback.extract_tb(error.__traceback__)}
        files &= set(getattr(getattr(_shell(), "compile", None), "_filename_map", {}))
        finding = error_finding(error, files, CELL_ERROR)
        failed = None if finding.rule == KIT_ERROR else FailedCell(source, finding)
    note_cell(str(getattr(result.info, "cell_id", None) or source), failed)


def sources_run(line: int | None = None) -> list[str]:
    """Return the source of each cell that ran: as it ran last, in the place where it ran first.

    Args:
        line: that the cell that runs has come to; what stands below it is left out.
    """
    sources: dict[str, str] = {}
    history = getattr(getattr(_shell(), "history_manager", None), "input_hist_raw", ())
    for number, source in enumerate(history):
        run = _runs.get(number)
        sources[source if run is None else run.cell] = (
            source if line is None or number < len(history) - 1 else source_up_to(source, line)
        )
    return list(sources.values())


def source_up_to(source: str, line: int) -> str:
    """Return the source to the end of the statement at a line; all of it if it is no Python."""
    ends = [s.end_lineno or line for s in statements(source) if s.lineno <= line]
    return "\n".join(source.split("\n")[: max(ends, default=None)])


def describe_runs(namespace: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return one sentence about where the functions come from, and a warning for each old one."""
    numbers = getattr(getattr(_shell(), "compile", None), "_filename_map", {})
    found = {name: numbers.get(_file_of(namespace.get(name))) for name in names}
    known = {name: number for name, number in found.items() if number is not None}
    if not known:
        return []
    runs = ", ".join(f"`{name}` from In[{number}]" for name, number in known.items())
    warnings = (_warning(name, number, namespace) for name, number in known.items())
    return [sentences.JUDGED_RUN.format(runs=runs), *filter(None, warnings)]


def _file_of(value: Any) -> str | None:
    """Return the file that a function's code, or a class's first method's, was compiled from."""
    if isinstance(value, type):
        value = next((v for v in vars(value).values() if inspect.isfunction(v)), None)
    value = unwrap(value) if callable(value) else value
    return getattr(getattr(value, "__code__", None), "co_filename", None)


def _warning(name: str, number: int, namespace: Mapping[str, Any]) -> str:
    run = _runs.get(number)
    if run is None:
        return ""
    again = [n for n, other in _runs.items() if other.cell == run.cell and n > number]
    if again:
        return sentences.RAN_AGAIN.format(name=name, old=number, new=max(again))
    saved = _saved_source(run, namespace)
    if saved is not None and saved.strip() != run.source.strip():
        return sentences.SAVED_OTHERWISE.format(name=name, old=number)
    return ""


def _saved_source(run: CellRun, namespace: Mapping[str, Any]) -> str | None:
    """Return a cell's source in the saved notebook, "" if it is gone; None where it is not known.

    A file that was saved before the cell ran says nothing.
    """
    path = namespace.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    try:
        file = Path(str(path))
        if file.suffix != ".ipynb" or file.stat().st_mtime <= run.at:
            return None
        cells = json.loads(file.read_bytes())["cells"]
        return next(("".join(c["source"]) for c in cells if c.get("id") == run.cell), "")
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
