"""Reports values that the function reads and other code changes: jit would keep the old ones.

Candidates come from the source. Each is tested by changing the value and tracing again: if the
program differs, the value was part of it.
"""

from __future__ import annotations

import ast
import dis
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.criteria.purity import traces
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.runs import Bench, Run, same
from autograder.criteria.purity.source import (
    CONSTRUCTORS,
    Function,
    executed,
    functions,
    mutations,
    own_nodes,
    reader_line,
    stores,
    trees,
)
from autograder.criteria.purity.values import instance_dict, is_array, is_jax_array


@dataclass(frozen=True)
class Candidate:
    """Names a value that the function reads; `writer` is the line of other code that changes it."""

    name: str
    writer: int | None
    attribute: str | None = None
    cell: types.CellType | None = None


def _rebound_at_top(bench: Bench, ran: list[Function]) -> Iterator[Candidate]:
    """Find globals that module code changes after (or in a loop around) their reader."""
    for filename, tree in trees(bench.student).items():
        readers = [f for f in ran if f.filename == filename]
        first = min((f.first_line for f in readers), default=None)
        seen: dict[str, int] = {}
        for line, chain, _, node in sorted(stores(own_nodes(tree)), key=lambda s: s[0]):
            name = chain[0]
            around = isinstance(node, ast.For) and any(
                node.lineno <= f.first_line <= (node.end_lineno or 0) for f in readers
            )
            before = name in seen
            seen[name] = line
            later = first is not None and line > first
            if around or (later and (before or len(chain) > 1)):
                yield Candidate(name, line)


def _changed_elsewhere(
    bench: Bench, known: list[Function], ran: list[Function]
) -> Iterator[Candidate]:
    """Find globals, variables of enclosing functions and attributes that other functions change."""
    cells: dict[str, types.CellType] = {}
    for value in bench.start.keep:
        if type(value) is types.FunctionType and value.__code__ in bench.hits.codes:
            cells.update(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
    names = {name for code in bench.hits.codes for name in code.co_names}
    for function in known:
        if function in ran:
            continue
        itself = _self_of(function)
        for m in mutations(function):
            owner = function.owner(m.root)
            if owner is None:
                yield Candidate(m.root, m.line)
            elif owner is not function and owner not in ran and m.root in cells:
                yield Candidate(m.root, m.line, cell=cells[m.root])
            elif m.root == itself and len(m.chain) > 1 and m.chain[1][1:] in names:
                yield Candidate(str(function.in_class), m.line, attribute=m.chain[1][1:])


def _self_of(function: Function) -> str | None:
    """Return what a method calls its object; None for a constructor and for a plain function."""
    args = function.node.args.args
    if function.in_class is None or not args or function.name in CONSTRUCTORS:
        return None
    return args[0].arg


def _bumped(value: Any) -> Any:
    """Make another value of the same type, or None when there is nothing to change."""
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        return value + 1
    if kind is float:
        return value * 1.7 + 0.3
    if kind is str:
        return value + "'"
    if is_jax_array(value) and value.dtype.kind in "fiu":
        return value * 1.7 + 0.3 if value.dtype.kind == "f" else value + 1
    if is_array(value) and not is_jax_array(value) and value.dtype.kind in "fi":
        return np.asarray(value * 1.7 + 1.3).astype(value.dtype)
    if kind in (tuple, list):
        new = [_bumped(v) for v in value]
        if any(v is not None for v in new):
            return kind(old if v is None else v for old, v in zip(value, new, strict=True))
    return None


def _perturb(value: Any, put: Callable[[Any], None]) -> bool:
    """Change a value, or the numbers inside a dict or object; return whether anything changed."""
    new = _bumped(value)
    if new is not None:
        put(new)
        return True
    inside = value if isinstance(value, dict) else None
    if inside is None and not callable(value) and not isinstance(value, types.ModuleType):
        inside = instance_dict(value)
    changed = False
    for key, item in list((inside or {}).items()):
        changed |= _perturb(item, lambda v, k=key: dict.__setitem__(inside or {}, k, v))
    return changed


def _values_of(bench: Bench, candidate: Candidate) -> Iterator[tuple[Any, Callable[[Any], None]]]:
    """Yield the values behind a candidate, each with how to replace it."""
    name, attribute, cell = candidate.name, candidate.attribute, candidate.cell
    if cell is not None:
        yield cell.cell_contents, lambda v: setattr(cell, "cell_contents", v)
    elif attribute is not None:
        bound = getattr(bench.function, "__self__", None)
        for value in bench.start.keep:
            found = instance_dict(value) if type(value).__name__ == name else None
            if found and attribute in found and value is not bound:
                yield found[attribute], lambda v, d=found: d.__setitem__(attribute, v)
    elif name in bench.student.namespace:
        namespace = bench.student.namespace
        yield namespace[name], lambda v: namespace.__setitem__(name, v)


def _depends(bench: Bench, candidate: Candidate, base: Run) -> bool:
    """Check whether changing the value changes the traced program (or the result without jit)."""
    bench.restore()
    try:
        if not any([_perturb(value, put) for value, put in _values_of(bench, candidate)]):
            return False
        run = bench.run(base.mode)
    finally:
        bench.restore()
    if run.error is not None:
        return True
    if base.program is not None and run.program is not None:
        return traces.difference(base.program, run.program, bench.student) is not None
    if base.result is not None and run.result is not None:
        return not same(base.result, run.result, exact=False)
    return False


def _candidates(bench: Bench) -> list[Candidate]:
    known = functions(bench.student)
    ran = executed(known, bench.hits.codes)
    reads = {
        step.argval
        for code in bench.hits.codes
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    found: dict[tuple[str, str | None, bool], Candidate] = {}
    for candidate in (*_changed_elsewhere(bench, known, ran), *_rebound_at_top(bench, ran)):
        is_global = candidate.attribute is None and candidate.cell is None
        if candidate.name in reads or not is_global:
            key = (candidate.name, candidate.attribute, candidate.cell is not None)
            found.setdefault(key, candidate)
    return list(found.values())


def report_stale(bench: Bench, findings: Findings) -> None:
    found = _candidates(bench)
    if not found or findings.has_errors():
        return
    bench.restore()
    base = bench.run("trace")
    if base.program is None:
        bench.restore()
        base = bench.run("nojit")
    for candidate in found:
        if base.error is None and _depends(bench, candidate, base):
            shown = ".".join(filter(None, (candidate.name, candidate.attribute)))
            where = f"line {candidate.writer}" if candidate.writer else "other code"
            what = f"the result depends on `{shown}`, which {where} changes"
            line = reader_line(bench.student, bench.hits.codes, shown.split(".")[-1])
            findings.add("stale-global", what, line)
    bench.restore()
