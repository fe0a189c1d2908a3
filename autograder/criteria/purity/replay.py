"""Runs the function again with different values of what jit would freeze, and compares.

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
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.core import jax_access
from autograder.core.student_code import IN_A_CELL, nested_codes, source_text
from autograder.criteria.purity import traces
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.runs import Bench, Run, is_same
from autograder.criteria.purity.source import (
    CONSTRUCTORS,
    Function,
    find_executed,
    functions,
    mutations,
    own_nodes,
    reader_line,
    stores,
    trees,
)
from autograder.criteria.purity.values import (
    instance_dict,
    is_array,
    is_floating,
    is_integer,
    is_jax_array,
)

_STABLE = (int, float, bool, complex, type(None))
_CONSUMERS = {"list", "tuple", "enumerate", "zip", "map", "iter", "reversed", "filter", "dict"}
_SETS = (set, frozenset, type({}.keys() & set()))


@dataclass(frozen=True)
class _Candidate:
    """A value that the function reads, and the line of other code that changes it.

    A holder is a dict with the key of the value, or a cell.
    """

    shown: str
    writer: int
    holders: list[tuple[Any, str]]


def _difference(bench: Bench, base: Run, run: Run) -> tuple[bool, int | None]:
    """Compare the programs of two runs, or their results, and find the line if they differ."""
    if base.program is not None and run.program is not None:
        found = traces.difference(base.program, run.program, bench.student)
        return found is not None, found[1] if found else None
    if base.result is not None and run.result is not None:
        return not is_same(base.result, run.result, exact=False), None
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
            what = (
                f"the result depends on `{candidate.shown}`, which line {candidate.writer} changes"
            )
            name = candidate.shown.split(".")[-1]
            findings.add("stale-global", what, reader_line(bench.student, bench.hits.codes, name))
    bench.restore()
    run = None if findings.has_errors() else _run_rewritten(bench, base, codes)
    differs, line = (False, None) if run is None else _difference(bench, base, run)
    if differs:
        what = "the result depends on the order of a set, on `hash()` or on `id()`"
        findings.add("hash-order", what, line or findings.first_line(bench.function))


# Values that other code changes


def _rebound_at_top(bench: Bench, ran: list[Function]) -> Iterator[tuple[str, int]]:
    """Find globals that module code changes after (or in a loop around) their reader."""
    for filename, tree in trees(bench.student).items():
        readers = [f for f in ran if f.filename == filename]
        first = min((f.first_line for f in readers), default=None)
        seen: set[str] = set()
        for line, chain, _, node in sorted(stores(own_nodes(tree)), key=lambda s: s[0]):
            name = chain[0]
            around = isinstance(node, ast.For) and any(
                node.lineno <= f.first_line <= (node.end_lineno or 0) for f in readers
            )
            later = first is not None and line > first
            if around or (later and (name in seen or len(chain) > 1)):
                yield name, line
            seen.add(name)


def _candidates(bench: Bench) -> list[_Candidate]:
    known = functions(bench.student)
    ran = find_executed(known, bench.hits.codes)
    cells: dict[str, types.CellType] = {}
    for value in bench.start.keep:
        if type(value) is types.FunctionType and value.__code__ in bench.hits.codes:
            cells.update(zip(value.__code__.co_freevars, value.__closure__ or (), strict=True))
    names = {name for code in bench.hits.codes for name in code.co_names}
    written: list[tuple[str, int]] = []
    found: dict[tuple[str, str], _Candidate] = {}
    for function in known:
        if function in ran:
            continue
        for m in mutations(function):
            owner = function.owner(m.root)
            attribute = m.chain[1][1:] if len(m.chain) > 1 else ""
            if owner is None:
                written.append((m.root, m.line))
            elif owner is not function and owner not in ran and m.root in cells:
                candidate = _Candidate(m.root, m.line, [(cells[m.root], "")])
                found.setdefault(("closure", m.root), candidate)
            elif attribute in names and m.root == _self_of(function):
                shown = f"{function.in_class}.{attribute}"
                holders = _instances(bench, str(function.in_class), attribute)
                found.setdefault(("attribute", shown), _Candidate(shown, m.line, holders))
    reads = {
        step.argval
        for code in bench.hits.codes
        for step in dis.get_instructions(code)
        if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    }
    for name, line in (*written, *_rebound_at_top(bench, ran)):
        if name in reads and name in bench.student.namespace:
            candidate = _Candidate(name, line, [(bench.student.namespace, name)])
            found.setdefault(("global", name), candidate)
    return list(found.values())


def _self_of(function: Function) -> str | None:
    """Return what a method calls its object; None for a constructor and for a plain function."""
    args = function.node.args.args
    if function.in_class is None or not args or function.name in CONSTRUCTORS:
        return None
    return args[0].arg


def _instances(bench: Bench, cls: str, attribute: str) -> list[tuple[Any, str]]:
    """Find the objects of a class that have an attribute, except the function's own `self`."""
    bound = getattr(bench.function, "__self__", None)
    objects = [v for v in bench.start.keep if type(v).__name__ == cls and v is not bound]
    found = [instance_dict(value) or {} for value in objects]
    return [(attributes, attribute) for attributes in found if attribute in attributes]


def _bump(value: Any) -> Any:
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
    if is_jax_array(value) and (is_floating(value) or is_integer(value)):
        return value * 1.7 + 0.3 if is_floating(value) else value + 1
    if is_array(value) and not is_jax_array(value) and value.dtype.kind in "fi":
        return np.asarray(value * 1.7 + 1.3).astype(value.dtype)
    if kind in (tuple, list):
        new = [_bump(v) for v in value]
        if any(v is not None for v in new):
            return kind(old if v is None else v for old, v in zip(value, new, strict=True))
    return None


def _perturb(holder: Any, key: Any) -> bool:
    """Change a value, or the numbers inside a dict or object; return whether anything changed."""
    is_cell = type(holder) is types.CellType
    value = holder.cell_contents if is_cell else dict.__getitem__(holder, key)
    new = _bump(value)
    if new is None:
        inside = value if isinstance(value, dict) else None
        if inside is None and not callable(value) and not isinstance(value, types.ModuleType):
            inside = instance_dict(value)
        return any([_perturb(inside, name) for name in list(inside or {})])
    if is_cell:
        holder.cell_contents = new
    else:
        dict.__setitem__(holder, key, new)
    return True


def _depends(bench: Bench, candidate: _Candidate, base: Run) -> bool:
    """Check whether changing the value changes the traced program (or the result without jit)."""
    bench.restore()
    try:
        if not any([_perturb(*holder) for holder in candidate.holders]):
            return False
        run = bench.run(base.mode)
    finally:
        bench.restore()
    return run.error is not None or _difference(bench, base, run)[0]


# Hashes, the order of sets, and id()


def _is_unstable(value: Any) -> bool:
    """Check whether a value's hash changes from process to process."""
    if type(value) in (tuple, frozenset):
        return any(map(_is_unstable, value))
    return type(value) not in _STABLE


def _reorder(value: Any) -> Any:
    """Give a set the order that it may have in another process; return other values unchanged."""
    if type(value) in _SETS and any(map(_is_unstable, value)):
        return list(value)[::-1]
    return value


def _hash(value: Any) -> int:
    return hash(value) ^ 0x5BD1E995 if _is_unstable(value) else hash(value)


_HELPERS = {
    "__autograder_ordered__": _reorder,
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
            for code in nested_codes(compile(new, filename, "exec", IN_A_CELL, dont_inherit=True)):
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
