"""Runs the function again with other values of what jit would freeze, and compares.

This finds values that the function reads and other code changes: jit would keep the old ones.
Candidates come from the source. It also finds dependence on hashes, on the order of sets and on
`id()`, which differ in another Python process: the student's functions are compiled anew from their
source, so that loops over sets run backwards, and `hash()` and `id()` give other values.
"""

from __future__ import annotations

import ast
import builtins
import dis
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.core import jax_access
from autograder.core.student_code import source_text
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

_STABLE = (int, float, bool, complex, type(None))
_CONSUMERS = {"list", "tuple", "enumerate", "zip", "map", "iter", "reversed", "filter", "dict"}
_SETS = (set, frozenset, type({}.keys() & set()))


def _difference(bench: Bench, base: Run, run: Run) -> tuple[bool, int | None]:
    """Compare the programs of two runs, or their results, and find the line if they differ."""
    if base.program is not None and run.program is not None:
        found = traces.difference(base.program, run.program, bench.student)
        return found is not None, found[1] if found else None
    if base.result is not None and run.result is not None:
        return not same(base.result, run.result, exact=False), None
    return False, None


def report_replays(bench: Bench, findings: Findings, first: Run) -> None:
    """Report values that jit would freeze; `first` is a run that traced the function."""
    if findings.has_errors():
        return
    candidates, codes = _candidates(bench), _rewritten_codes(bench)
    if not candidates and not codes:
        return
    bench.restore()
    base = first if first.program is not None else bench.run("nojit")
    for candidate in candidates:
        if base.error is None and _depends(bench, candidate, base):
            shown = ".".join(filter(None, (candidate.name, candidate.attribute)))
            where = f"line {candidate.writer}" if candidate.writer else "other code"
            what = f"the result depends on `{shown}`, which {where} changes"
            line = reader_line(bench.student, bench.hits.codes, shown.split(".")[-1])
            findings.add("stale-global", what, line)
    bench.restore()
    run = None if findings.has_errors() else _run_rewritten(bench, base, codes)
    differs, line = (False, None) if run is None else _difference(bench, base, run)
    if differs:
        what = "the result depends on the order of a set, on `hash()` or on `id()`"
        findings.add("hash-order", what, line or findings.first_line(bench.function))


# Values that other code changes


@dataclass(frozen=True)
class _Candidate:
    """Names a value that the function reads; `writer` is the line of other code that changes it."""

    name: str
    writer: int | None
    attribute: str | None = None
    cell: types.CellType | None = None


def _rebound_at_top(bench: Bench, ran: list[Function]) -> Iterator[_Candidate]:
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
                yield _Candidate(name, line)


def _changed_elsewhere(
    bench: Bench, known: list[Function], ran: list[Function]
) -> Iterator[_Candidate]:
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
                yield _Candidate(m.root, m.line)
            elif owner is not function and owner not in ran and m.root in cells:
                yield _Candidate(m.root, m.line, cell=cells[m.root])
            elif m.root == itself and len(m.chain) > 1 and m.chain[1][1:] in names:
                yield _Candidate(str(function.in_class), m.line, attribute=m.chain[1][1:])


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


def _values_of(bench: Bench, candidate: _Candidate) -> Iterator[tuple[Any, Callable[[Any], None]]]:
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


def _depends(bench: Bench, candidate: _Candidate, base: Run) -> bool:
    """Check whether changing the value changes the traced program (or the result without jit)."""
    bench.restore()
    try:
        if not any([_perturb(value, put) for value, put in _values_of(bench, candidate)]):
            return False
        run = bench.run(base.mode)
    finally:
        bench.restore()
    return run.error is not None or _difference(bench, base, run)[0]


def _candidates(bench: Bench) -> list[_Candidate]:
    known = functions(bench.student)
    ran = executed(known, bench.hits.codes)
    reads = {
        step.argval
        for code in bench.hits.codes
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    found: dict[tuple[str, str | None, bool], _Candidate] = {}
    for candidate in (*_changed_elsewhere(bench, known, ran), *_rebound_at_top(bench, ran)):
        is_global = candidate.attribute is None and candidate.cell is None
        if candidate.name in reads or not is_global:
            key = (candidate.name, candidate.attribute, candidate.cell is not None)
            found.setdefault(key, candidate)
    return list(found.values())


# Hashes, the order of sets, and id()


def _unstable(value: Any) -> bool:
    """Check whether a value's hash changes from process to process."""
    if type(value) in (tuple, frozenset):
        return any(map(_unstable, value))
    return type(value) not in _STABLE


def _reordered(value: Any) -> Any:
    """Give a set the order that it may have in another process; return other values unchanged."""
    if type(value) in _SETS and any(map(_unstable, value)):
        return list(value)[::-1]
    return value


def _hash(value: Any) -> int:
    return hash(value) ^ 0x5BD1E995 if _unstable(value) else hash(value)


_HELPERS = {
    "__autograder_ordered__": _reordered,
    "__autograder_hash__": _hash,
    "__autograder_id__": lambda value: id(value) ^ 0x5BD1E990,
}


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.count = 0

    def _wrap(self, node: ast.expr) -> ast.expr:
        self.count += 1
        name = ast.copy_location(ast.Name("__autograder_ordered__", ast.Load()), node)
        return ast.copy_location(ast.Call(name, [node], []), node)

    def _visit_loop(self, node: ast.For | ast.comprehension) -> ast.AST:
        self.generic_visit(node)
        node.iter = self._wrap(node.iter)
        return node

    visit_For = visit_comprehension = _visit_loop

    def visit_Starred(self, node: ast.Starred) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.ctx, ast.Load):
            node.value = self._wrap(node.value)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name):
            if node.func.id in _CONSUMERS:
                node.args = [a if isinstance(a, ast.Starred) else self._wrap(a) for a in node.args]
            elif node.func.id in ("hash", "id") and len(node.args) == 1:
                self.count += 1
                node.func.id = f"__autograder_{node.func.id}__"
        elif isinstance(node.func, ast.Attribute) and node.func.attr in ("join", "fromkeys"):
            node.args = [self._wrap(a) for a in node.args]
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        if any(isinstance(t, (ast.Tuple, ast.List)) for t in node.targets):
            node.value = self._wrap(node.value)
        return node


def _mentions_hashes(bench: Bench, tree: ast.Module) -> bool:
    """Check whether sets, `hash` or `id` occur at all; most files need no replay."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Set, ast.SetComp)):
            return True
        if isinstance(node, ast.Name) and node.id in ("set", "frozenset", "hash", "id"):
            return True
        if isinstance(node, ast.Attribute) and node.attr in ("keys", "__hash__"):
            return True
    return any(type(v) in _SETS for v in bench.student.namespace.values()) or any(
        type(v) in _SETS for v in jax_access.flatten(bench.arguments())[0]
    )


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if type(const) is types.CodeType:
            yield from _codes(const)


def _key(code: types.CodeType) -> tuple:
    return (code.co_filename, code.co_name, code.co_firstlineno, code.co_freevars)


def _rewritten_codes(bench: Bench) -> dict[tuple, types.CodeType]:
    found: dict[tuple, types.CodeType] = {}
    for filename, tree in trees(bench.student).items():
        if not _mentions_hashes(bench, tree):
            continue
        rewriter = _Rewriter()
        new = ast.fix_missing_locations(rewriter.visit(ast.parse(source_text(filename))))
        if rewriter.count:
            for code in _codes(compile(new, filename, "exec", dont_inherit=True)):
                found.setdefault(_key(code), code)
    return found


def _run_rewritten(bench: Bench, base: Run, new: dict[tuple, types.CodeType]) -> Run | None:
    """Run with the rewritten functions in place of the student's; None if none is affected."""
    swapped: list[tuple[types.FunctionType, types.CodeType]] = []
    bench.restore()
    try:
        for value in bench.start.keep:
            if type(value) is types.FunctionType and _key(value.__code__) in new:
                swapped.append((value, value.__code__))
                value.__code__ = new[_key(value.__code__)]
        builtins.__dict__.update(_HELPERS)
        return bench.run(base.mode) if swapped else None
    finally:
        for function, code in swapped:
            function.__code__ = code
        for name in _HELPERS:
            builtins.__dict__.pop(name, None)
        bench.restore()
