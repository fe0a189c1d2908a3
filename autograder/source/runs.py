"""What runs for each exercise of a notebook: its slice if proved, otherwise all needed cells."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from autograder.source.cells_read import SourceText, Statement, is_import, read_source
from autograder.source.jit_options import JittedFunction
from autograder.source.program_counts import find_jitted
from autograder.source.proof import SourceProof, prove_slice
from autograder.source.slicing import Unproved, make_slice, may_matter


class CellText(NamedTuple):
    """A code cell: its id, its text, and its role, as that of `autograder.model.notebook.Cell`."""

    id: str
    text: str
    role: str = ""


class Wanted(NamedTuple):
    """An exercise: its name, and the names that it grades."""

    name: str
    entries: tuple[str, ...]


@dataclass(frozen=True)
class PlannedRun:
    """What runs together.

    Attributes:
        cells: positions of the cells, each with those of its statements that run; None for all.
        exercises: names of the exercises that it is for.
        unproved: the first line that is not proved, in the cell with this position as its id.
        jitted: the exercises whose entry point is one jitted function.
        fallback: positions of the cells to run where this does not pass, since what it leaves out
            of them may change what runs, or binds a name of it. Empty where nothing does.
    """

    cells: tuple[tuple[int, tuple[int, ...] | None], ...]
    exercises: tuple[str, ...]
    unproved: Unproved | None
    jitted: dict[str, JittedFunction]
    fallback: tuple[int, ...] = ()


def plan(cells: Sequence[CellText], wanted: Sequence[Wanted]) -> list[PlannedRun]:
    """Return what runs for some exercises of a notebook.

    What is graded is a function as bound where its check stands: what a cell below binds again does
    not count. A function that no cell above its check defines is looked for below it too. A cell
    that only shows something runs where another one needs it.
    """
    needed = _needed_cells(cells, [name for exercise in wanted for name in exercise.entries])
    every = [(str(i), cells[i].text) for i in needed]
    shows = {str(i) for i, cell in enumerate(cells) if cell.role == "show"}
    whole = read_source(every)
    proofs: dict[str, SourceProof] = {}
    ends: dict[str, int] = {}
    for exercise in wanted:
        ends[exercise.name] = end = _find_end(cells, whole, exercise)
        above = whole if end == len(cells) else read_source(c for c in every if int(c[0]) < end)
        proofs[exercise.name] = prove_slice(make_slice(above, exercise.entries))
    proved = [w for w in wanted if proofs[w.name].is_pure]
    groups = _groups(whole, proved, proofs)
    runs = [_run_slices(whole, group, proofs, needed, shows) for group in groups]
    for end in dict.fromkeys(ends[w.name] for w in wanted if w not in proved):
        left = [w for w in wanted if w not in proved and ends[w.name] == end]
        run = tuple((i, None) for i in needed if i < end)
        unproved = proofs[left[0].name].unproved
        names = tuple(w.name for w in left)
        fallback = needed if _is_changed_below(whole, end) else ()
        runs.append(PlannedRun(run, names, unproved, {}, fallback))
    return runs


def _needed_cells(cells: Sequence[CellText], entries: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of the cells that run: of those that show something, what others need.

    Others need a cell that binds or changes a name that they read, in whatever order, or completes
    what an entry point is.
    """
    runnable = tuple(i for i, cell in enumerate(cells) if cell.role != "check")
    whole = read_source((str(i), cells[i].text) for i in runnable)
    if whole.unread is not None:  # nobody knows what it needs
        return runnable
    imported = {name for s in whole.statements if is_import(s.node) for name in s.binds}
    known = [(s.cell, _read(s), _touched(s, imported)) for s in whole.statements]
    needed = {str(i) for i in runnable if cells[i].role != "show"}
    needed |= {s.cell for s in make_slice(whole, entries).statements}
    needed |= {s.cell for s in whole.statements if "*" in s.binds}
    before = set[str]()
    while needed != before:
        before = needed
        read = {name for cell, names, _ in known if cell in needed for name in names}
        needed = needed | {cell for cell, _, touched in known if not read.isdisjoint(touched)}
    return tuple(i for i in runnable if str(i) in needed)


def _read(statement: Statement) -> frozenset[str]:
    """Return the global names that a statement reads, now or later, and does not only bind."""
    nodes = list(ast.walk(statement.node))
    loaded = {x.id for x in nodes if isinstance(x, ast.Name) and not isinstance(x.ctx, ast.Store)}
    added = {ast.unparse(x.target) for x in nodes if isinstance(x, ast.AugAssign)}
    return (statement.now | statement.later) & (loaded | added)


def _touched(statement: Statement, imported: set[str]) -> set[str]:
    """Return the names that a statement binds, and those whose objects it changes.

    A call such as `jnp.append(...)` changes no module.
    """
    changed = {
        n for n, by in statement.changes if n not in imported or not isinstance(by, ast.Call)
    }
    return changed | statement.binds


def _find_end(cells: Sequence[CellText], whole: SourceText, wanted: Wanted) -> int:
    """Return how many cells there are above the last check, or all where that defines nothing."""
    call = re.compile(rf"""\bcheck\(\s*["']{re.escape(wanted.name)}["']""")
    checks = [i for i, c in enumerate(cells) if c.id == wanted.name or call.search(c.text)]
    if not checks:
        return len(cells)
    end = checks[-1] if cells[checks[-1]].role == "check" else checks[-1] + 1
    above = {n for s in whole.statements if int(s.cell) < end for n in s.binds}
    return end if above.issuperset(wanted.entries) else len(cells)


def _is_changed_below(whole: SourceText, end: int) -> bool:
    statements = (s for s in whole.statements if int(s.cell) < end)
    above = {n for s in statements for n in s.binds | s.now | s.later}
    return any(int(s.cell) >= end and not above.isdisjoint(s.binds) for s in whole.statements)


def _groups(
    whole: SourceText, wanted: Sequence[Wanted], proofs: dict[str, SourceProof]
) -> list[list[Wanted]]:
    """Return exercises whose slices run together: all, if none changes what another one means."""
    # Cells are read in their order, so a position means the same with more or fewer of them.
    order = sorted({i for w in wanted for i in proofs[w.name].slice.positions})
    together = replace(whole, statements=tuple(whole.statements[i] for i in order))
    for w in wanted:
        found = make_slice(together, w.entries)
        if tuple(order[i] for i in found.positions) != proofs[w.name].slice.positions:
            return [[w] for w in wanted]
    return [list(wanted)] if wanted else []


def _run_slices(
    whole: SourceText,
    group: Sequence[Wanted],
    proofs: dict[str, SourceProof],
    needed: tuple[int, ...],
    shows: set[str],
) -> PlannedRun:
    chosen = {i for w in group for i in proofs[w.name].slice.positions}
    within: dict[int, list[int]] = {}
    counts: dict[int, int] = {}
    bound = frozenset(name for i in chosen for name in whole.statements[i].binds)
    left_out = [
        s for i, s in enumerate(whole.statements) if i not in chosen and s.cell not in shows
    ]
    for i, statement in enumerate(whole.statements):
        cell = int(statement.cell)
        if i in chosen:
            within.setdefault(cell, []).append(counts.get(cell, 0))
        counts[cell] = counts.get(cell, 0) + 1
    jitted = {w.name: find_jitted(proofs[w.name], w.entries[0]) for w in group}
    return PlannedRun(
        tuple((cell, tuple(some)) for cell, some in sorted(within.items())),
        tuple(w.name for w in group),
        None,
        {name: found for name, found in jitted.items() if isinstance(found, JittedFunction)},
        needed if may_matter(whole, left_out, bound) else (),
    )
