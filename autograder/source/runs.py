"""What runs for each exercise of a notebook: its slice if proved, otherwise all needed cells."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from autograder.model.notebook import Cell
from autograder.model.report import UnprovedLine
from autograder.source.cells_read import SourceText, Statement, is_import, read_source
from autograder.source.jit_options import JittedFunction
from autograder.source.proof import SourceProof, prove_slice
from autograder.source.slicing import Unproved, make_slice, may_matter


@dataclass(frozen=True)
class PlannedRun:
    """What runs together.

    Attributes:
        cells: positions of the cells, each with those of its statements that run; None for all.
        exercises: names of the exercises that it is for.
        unproved: the first line that is not proved.
        jitted: the exercises whose entry point is one jitted function.
        fallback: positions of the cells to run where this does not pass, since what it leaves out
            of them may change what runs, or binds a name of it. Empty where nothing does.
    """

    cells: tuple[tuple[int, tuple[int, ...] | None], ...]
    exercises: tuple[str, ...]
    unproved: UnprovedLine | None
    jitted: dict[str, JittedFunction]
    fallback: tuple[int, ...] = ()


def plan(cells: Sequence[Cell], wanted: Mapping[str, Sequence[str]]) -> list[PlannedRun]:
    """Return what runs for some exercises of a notebook.

    What is graded is a function as bound where its check stands: what a cell below binds again does
    not count. A function that no cell above its check defines is looked for below it too. A cell
    that only shows something runs where another one needs it.

    Args:
        cells: of the notebook.
        wanted: by exercise, the names that it grades.
    """
    needed = _needed_cells(cells, [name for entries in wanted.values() for name in entries])
    every = [(str(i), cells[i].source) for i in needed]
    shows = {str(i) for i, cell in enumerate(cells) if cell.role == "show"}
    whole = read_source(every)
    proved: dict[str, SourceProof] = {}
    others: dict[int, dict[str, SourceProof]] = {}
    for name, entries in wanted.items():
        end = _find_end(cells, whole, name, entries)
        above = whole if end == len(cells) else read_source(c for c in every if int(c[0]) < end)
        proof = prove_slice(make_slice(above, entries))
        if proof.is_pure:
            proved[name] = proof
        else:
            others.setdefault(end, {})[name] = proof
    runs = [_run_slices(whole, group, needed, shows) for group in _groups(whole, proved)]
    for end, proofs in others.items():
        unproved = next(iter(proofs.values())).unproved
        run = tuple((i, None) for i in needed if i < end)
        fallback = needed if _is_changed_below(whole, end) else ()
        shown = unproved and _line(cells, unproved)
        runs.append(PlannedRun(run, tuple(proofs), shown, {}, fallback))
    return runs


def _line(cells: Sequence[Cell], unproved: Unproved) -> UnprovedLine:
    """Return a line, with its text; no text where no line of a cell is to blame."""
    place = unproved.place
    cell = cells[int(place.cell or 0)]
    text = cell.source.split("\n")[place.line - 1 : place.line] if place.cell else []
    return UnprovedLine(cell.id, place.line, "".join(text).strip()[:200], unproved.reason)


def _needed_cells(cells: Sequence[Cell], entries: Sequence[str]) -> tuple[int, ...]:
    """Return the positions of the cells that run: of those that show something, what others need.

    Others need a cell that binds or changes a name that they read, in whatever order, or completes
    what an entry point is.
    """
    runnable = tuple(i for i, cell in enumerate(cells) if cell.role != "check")
    whole = read_source((str(i), cells[i].source) for i in runnable)
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


def _find_end(
    cells: Sequence[Cell], whole: SourceText, exercise: str, entries: Iterable[str]
) -> int:
    """Return how many cells there are above the last check, or all where that defines nothing."""
    call = re.compile(rf"""\bcheck\(\s*["']{re.escape(exercise)}["']""")
    checks = [i for i, c in enumerate(cells) if c.id == exercise or call.search(c.source)]
    if not checks:
        return len(cells)
    end = checks[-1] if cells[checks[-1]].role == "check" else checks[-1] + 1
    above = {n for s in whole.statements if int(s.cell) < end for n in s.binds}
    return end if above.issuperset(entries) else len(cells)


def _is_changed_below(whole: SourceText, end: int) -> bool:
    statements = (s for s in whole.statements if int(s.cell) < end)
    above = {n for s in statements for n in s.binds | s.now | s.later}
    return any(int(s.cell) >= end and not above.isdisjoint(s.binds) for s in whole.statements)


def _groups(whole: SourceText, proofs: dict[str, SourceProof]) -> list[dict[str, SourceProof]]:
    """Return exercises whose slices run together: all, if none changes what another one means."""
    # Cells are read in their order, so a position means the same with more or fewer of them.
    order = sorted({i for proof in proofs.values() for i in proof.slice.positions})
    together = replace(whole, statements=tuple(whole.statements[i] for i in order))
    for proof in proofs.values():
        found = make_slice(together, proof.slice.entries)
        if tuple(order[i] for i in found.positions) != proof.slice.positions:
            return [{name: one} for name, one in proofs.items()]
    return [proofs] if proofs else []


def _run_slices(
    whole: SourceText, group: dict[str, SourceProof], needed: tuple[int, ...], shows: set[str]
) -> PlannedRun:
    chosen = {i for proof in group.values() for i in proof.slice.positions}
    bound = frozenset(name for i in chosen for name in whole.statements[i].binds)
    left_out = [
        s for i, s in enumerate(whole.statements) if i not in chosen and s.cell not in shows
    ]
    cells = []
    for cell, places in groupby(range(len(whole.statements)), lambda i: whole.statements[i].cell):
        kept = tuple(at for at, i in enumerate(places) if i in chosen)
        cells += [(int(cell), kept)] if kept else []
    jitted = {name: proof.jitted.get(proof.slice.entries[0]) for name, proof in group.items()}
    return PlannedRun(
        tuple(cells),
        tuple(group),
        None,
        {name: found for name, found in jitted.items() if found is not None},
        needed if may_matter(whole, left_out, bound) else (),
    )
