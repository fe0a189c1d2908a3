"""Reports dependence on hashes, set order and `id()`, by a replay with other values of them.

The student's functions are compiled anew from their source. In the replay, loops over sets run
backwards, and `hash()` and `id()` give other values. If the program or the result differs, it may
also differ in another Python process.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Iterator
from typing import Any

from autograder.core.student_code import source_text
from autograder.criteria.purity import traces, trusted
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.runs import Bench, Run, same
from autograder.criteria.purity.source import trees

_STABLE = (int, float, bool, complex, type(None))
_CONSUMERS = {"list", "tuple", "enumerate", "zip", "map", "iter", "reversed", "filter", "dict"}
_SETS = (set, frozenset, type({}.keys() & set()))


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
        type(v) in _SETS for v in trusted.flatten(bench.arguments())[0]
    )


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if type(const) is types.CodeType:
            yield from _codes(const)


def _key(code: types.CodeType) -> tuple:
    return (code.co_filename, code.co_name, code.co_firstlineno, code.co_freevars)


def _replacements(bench: Bench) -> dict[tuple, types.CodeType]:
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


def _replay(bench: Bench, mode: Any, new: dict[tuple, types.CodeType]) -> Run | None:
    """Run with the rewritten functions in place of the student's; None if none is affected."""
    swapped: list[tuple[types.FunctionType, types.CodeType]] = []
    bench.restore()
    try:
        for value in bench.start.keep:
            if type(value) is types.FunctionType and _key(value.__code__) in new:
                swapped.append((value, value.__code__))
                value.__code__ = new[_key(value.__code__)]
        if not swapped:
            return None
        builtins.__dict__.update(_HELPERS)
        return bench.run(mode)
    finally:
        for function, code in swapped:
            function.__code__ = code
        for name in _HELPERS:
            builtins.__dict__.pop(name, None)
        bench.restore()


def report_hash_order(bench: Bench, findings: Findings, first: Run) -> None:
    if findings.has_errors():
        return
    new = _replacements(bench)
    run = _replay(bench, "nojit" if first.program is None else "trace", new) if new else None
    if run is None:
        return
    line = None
    if first.program is None:
        base = bench.run("nojit")
        if base.result is None or run.result is None or same(base.result, run.result, exact=False):
            return
    else:
        found = run.program and traces.difference(first.program, run.program, bench.student)
        if not found:
            return
        line = found[1]
    what = "the result depends on the order of a set, on `hash()` or on `id()`"
    findings.add("hash-order", what, line or findings.first_line(bench.function))
