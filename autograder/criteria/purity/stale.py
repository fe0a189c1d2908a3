"""Values that the function reads and other code changes: jit would keep the old ones.

Candidates come from the source (and, where there is none, from the bytecode); each is proved
by changing the value and tracing again: a different program means that it was baked in.
"""

from __future__ import annotations

import ast
import dis
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.core.student_code import student_codes
from autograder.criteria.purity import bytecode, programs, state
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.runs import Bench, Run, same
from autograder.criteria.purity.syntax import (
    Function,
    functions,
    mutations,
    own_nodes,
    stores,
    trees,
)
from autograder.criteria.purity.untaken import executed
from autograder.criteria.purity.values import is_array, is_jax_array


@dataclass(frozen=True)
class Candidate:
    """A name that the function reads; `writer` is the line of other code that changes it."""

    name: str
    writer: int | None
    attribute: str | None = None
    cell: types.CellType | None = None


def _global_reads(bench: Bench) -> set[str]:
    return {
        instruction.argval
        for code in bench.hits.codes
        for instruction in dis.get_instructions(code)
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }


def _attribute_reads(bench: Bench) -> set[str]:
    return {name for code in bench.hits.codes for name in code.co_names}


def _written_by_functions(
    bench: Bench, known: list[Function], ran: list[Function]
) -> Iterator[tuple[str, int | None]]:
    for function in known:
        if function not in ran:
            for m in mutations(function):
                if function.owner(m.root) is None:
                    yield m.root, m.line
    if not known:
        for change in bytecode.changes(_idle_codes(bench)):
            if not change.free:
                yield change.name, change.line


def _idle_codes(bench: Bench) -> list[types.CodeType]:
    """The student's code that did not run, in a fixed order."""
    codes = student_codes(bench.student.module) - set(bench.hits.codes)
    return sorted(codes, key=lambda c: (c.co_filename, c.co_firstlineno, c.co_name))


def _top_level(node: ast.AST) -> Iterator[ast.AST]:
    yield from own_nodes(node)


def _rebound_at_top(bench: Bench, ran: list[Function]) -> Iterator[tuple[str, int]]:
    """Globals that module code changes after (or in a loop around) a function that reads them."""
    homes: dict[str, set[str]] = {}
    for filename, tree in trees(bench.student).items():
        readers = [f for f in ran if f.filename == filename]
        first = min((f.first_line for f in readers), default=None)
        seen: dict[str, int] = {}
        for line, chain, how, node in sorted(stores(_top_level(tree)), key=lambda s: s[0]):
            name = chain[0]
            homes.setdefault(name, set())
            if len(chain) == 1 and how == "assigned":
                homes[name].add(filename)
            around = isinstance(node, ast.For) and any(
                node.lineno <= f.first_line <= (node.end_lineno or 0) for f in readers
            )
            before = name in seen
            seen[name] = line
            later = first is not None and line > first
            if around or (later and (before or len(chain) > 1)):
                yield name, line


def _closures(bench: Bench, known: list[Function], ran: list[Function]) -> Iterator[Candidate]:
    """Variables of an enclosing function that a sister of the student's function changes."""
    cells: dict[str, types.CellType] = {}
    for value in bench.start.keep:
        if type(value) is types.FunctionType and value.__code__ in bench.hits.codes:
            for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=True):
                cells[name] = cell
    if not known:
        for change in bytecode.changes(_idle_codes(bench)):
            if change.free and change.name in cells:
                yield Candidate(change.name, change.line, cell=cells[change.name])
    for function in known:
        if function in ran:
            continue
        for m in mutations(function):
            owner = function.owner(m.root)
            outside = owner is not None and owner is not function and owner not in ran
            if outside and m.root in cells:
                yield Candidate(m.root, m.line, cell=cells[m.root])


def _methods(bench: Bench, known: list[Function], ran: list[Function]) -> Iterator[Candidate]:
    """Attributes of `self` that methods other than the constructor change."""
    reads = _attribute_reads(bench)
    for function in known:
        args = function.node.args.args
        if function in ran or function.in_class is None or not args:
            continue
        if function.name in ("__init__", "__new__", "__post_init__", "__setstate__"):
            continue
        for m in mutations(function):
            if m.root == args[0].arg and len(m.chain) > 1 and m.chain[1][1:] in reads:
                yield Candidate(function.in_class, m.line, attribute=m.chain[1][1:])


def bumped(value: Any) -> Any:
    """Another value of the same type, or None when there is nothing to change."""
    kind = type(value)
    if kind is bool:
        return not value
    if kind is int:
        return value + 1
    if kind is float:
        return value * 1.7 + 0.3
    if kind is str:
        return value + "'"
    if is_jax_array(value) and value.dtype.kind in "f":
        return value * 1.7 + 0.3
    if is_array(value) and not is_jax_array(value) and value.dtype.kind in "fi":
        return np.asarray(value * 1.7 + 1.3).astype(value.dtype)
    if is_jax_array(value) and value.dtype.kind in "iu":
        return value + 1
    if kind in (tuple, list) and value:
        new = [bumped(v) for v in value]
        return (
            None
            if all(v is None for v in new)
            else kind(old if v is None else v for old, v in zip(value, new, strict=True))
        )
    return None


def _perturb(value: Any, put: Callable[[Any], None]) -> bool:
    """Change a value, or the numbers inside a dict or object; whether anything changed."""
    new = bumped(value)
    if new is not None:
        put(new)
        return True
    inside = value if isinstance(value, dict) else None
    if inside is None and not isinstance(value, (type, types.ModuleType, types.FunctionType)):
        inside = state.instance_dict(value)
        if callable(value):
            return False
    changed = False
    inside = inside or {}
    for key, item in list(inside.items()):
        changed |= _perturb(item, lambda v, d=inside, k=key: dict.__setitem__(d, k, v))
    return changed


def _apply(bench: Bench, candidate: Candidate) -> bool:
    namespace = bench.student.namespace
    if candidate.cell is not None:
        cell = candidate.cell
        return _perturb(cell.cell_contents, lambda v: setattr(cell, "cell_contents", v))
    if candidate.attribute is not None:
        changed = False
        bound = getattr(bench.function, "__self__", None)
        for value in list(bench.start.keep):
            found = state.instance_dict(value) if type(value).__name__ == candidate.name else None
            if found and candidate.attribute in found and value is not bound:
                changed |= _perturb(
                    found[candidate.attribute],
                    lambda v, d=found, k=candidate.attribute: d.__setitem__(k, v),
                )
        return changed
    name = candidate.name
    if name not in namespace:
        return False
    return _perturb(namespace[name], lambda v: namespace.__setitem__(name, v))


def _depends(bench: Bench, candidate: Candidate, base: Run) -> bool:
    """Whether changing the value changes the traced program (or the result without jit)."""
    bench.restore()
    mode = "trace" if base.program is not None else "nojit"
    try:
        if not _apply(bench, candidate):
            return False
        run = bench.run(mode)
    finally:
        bench.restore()
    if base.error is not None:
        return False
    if run.error is not None:
        return True
    if base.program is not None:
        other = run.program
        return other is None or programs.difference(base.program, other, bench.student) is not None
    if base.result is None or run.result is None:
        return False
    return not same(base.result, run.result, exact=False)


def reader_line(bench: Bench, name: str) -> int | None:
    """The first line of the code that ran that reads a name or an attribute of this name."""
    ran = executed(bench, functions(bench.student))
    lines = [
        node.lineno
        for function in ran
        for node in own_nodes(function.node)
        if (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr == name)
    ]
    return min(lines, default=None)


def candidates(bench: Bench) -> list[Candidate]:
    known = functions(bench.student)
    ran = executed(bench, known)
    reads = _global_reads(bench)
    found: dict[tuple[str, str | None, bool], Candidate] = {}
    for name, line in [*_written_by_functions(bench, known, ran), *_rebound_at_top(bench, ran)]:
        if name in reads:
            found.setdefault((name, None, False), Candidate(name, line))
    for candidate in [*_closures(bench, known, ran), *_methods(bench, known, ran)]:
        key = (candidate.name, candidate.attribute, candidate.cell is not None)
        found.setdefault(key, candidate)
    return list(found.values())


def check(bench: Bench, report: Report) -> None:
    found = candidates(bench)
    if not found or report.has_errors():
        return
    bench.restore()
    base = bench.run("trace")
    if base.program is None:
        bench.restore()
        base = bench.run("nojit")
    for candidate in found:
        if _depends(bench, candidate, base):
            shown = candidate.name
            if candidate.attribute:
                shown = f"{candidate.name}.{candidate.attribute}"
            where = f"line {candidate.writer}" if candidate.writer else "other code"
            what = f"the result depends on `{shown}`, which {where} changes"
            line = reader_line(bench, candidate.attribute or candidate.name)
            report.add("stale-global", what, line)
    bench.restore()
