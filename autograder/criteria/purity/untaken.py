"""Reports mutations and impure calls behind branches that these arguments did not take.

The source shows what they change, and whether it was created during the call or lives outside.
"""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Iterator
from enum import IntEnum

from autograder.criteria.purity.changed import find_covered_lines, is_static_memo
from autograder.criteria.purity.findings import Findings
from autograder.criteria.purity.impure_calls import impurity_of
from autograder.criteria.purity.runs import Bench
from autograder.criteria.purity.source import (
    CONSTRUCTORS,
    Function,
    Mutation,
    chain_of,
    find_executed,
    functions,
    mutations,
    own_nodes,
    targets,
)
from autograder.criteria.purity.student import unwrap
from autograder.criteria.purity.values import instance_dict

_MUTABLE = (list, dict, set, bytearray)
_FRESH = (
    *(ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp),
    *(ast.GeneratorExp, ast.Constant, ast.JoinedStr, ast.BinOp, ast.Compare, ast.UnaryOp),
    ast.Lambda,
)
_BINDING = (ast.Assign, ast.AnnAssign, ast.NamedExpr, ast.For)
_COPIES = ("copy", "deepcopy", "sorted")
_UNFOLLOWED: ast.expr = ast.Await(ast.Constant(None))
"""Stands for values that are not followed, such as parts of a container."""
_MILD = ("prints", "logs", "warns", "debug-print")


def _resolve(bench: Bench, chain: tuple[str, ...]) -> object:
    """Find the object behind `name.attribute...` in the student's namespace; None if unknown."""
    value = bench.student.namespace.get(chain[0], vars(builtins).get(chain[0]))
    for part in chain[1:]:
        if not part.startswith("."):
            return None
        is_module = isinstance(value, types.ModuleType)
        value = (vars(value) if is_module else instance_dict(value) or {}).get(part[1:])
    return value


def _can_change(bench: Bench, value: object) -> bool:
    return isinstance(value, _MUTABLE) or bench.student.owns_type(type(value))


class Origin(IntEnum):
    """Where an object comes from; if several are possible, the largest counts."""

    INSIDE = 0
    UNKNOWN = 1
    ARGUMENT = 2
    OUTSIDE = 3


class _Origins:
    """Follows names through assignments and calls.

    `called` are the functions that `ran` and those that untaken branches would call.
    """

    def __init__(self, bench: Bench, ran: list[Function], called: list[Function]) -> None:
        self.bench, self.ran, self.called = bench, ran, called
        self.entry = getattr(unwrap(bench.function), "__code__", None)

    def of(self, mutation: Mutation) -> Origin:
        """Find where the object that a mutation changes comes from.

        It can be unknown only in functions that did not run: the runs have shown what the others
        are called with.
        """
        owner = mutation.function.owner(mutation.root)
        if owner is None:
            value = _resolve(self.bench, mutation.chain)
            known = mutation.how == "assigned" or _can_change(self.bench, value)
            return Origin.OUTSIDE if known else Origin.INSIDE
        if owner not in self.called:
            return Origin.OUTSIDE  # of a function that has returned
        if mutation.how == "assigned" and len(mutation.chain) == 1:
            return Origin.INSIDE  # `nonlocal`, of a function of this call
        found = self._name(mutation.function, mutation.root, frozenset())
        if found is Origin.ARGUMENT:
            # An array has methods of the same names, which change nothing.
            changes = mutation.how in ("assigned", "append") and len(mutation.chain) > 1
            return Origin.OUTSIDE if changes else Origin.INSIDE
        return Origin.INSIDE if found is Origin.UNKNOWN and owner in self.ran else found

    def _name(self, function: Function, name: str, seen: frozenset[tuple]) -> Origin:
        owner = function.owner(name)
        if owner is None:
            value = _resolve(self.bench, (name,))
            return Origin.OUTSIDE if _can_change(self.bench, value) else Origin.UNKNOWN
        if (owner, name) in seen:
            return Origin.INSIDE  # a cycle adds nothing
        seen |= {(owner, name)}
        found = [self._expression(owner, value, seen) for value in _values(owner, name)]
        if name not in owner.params:
            return max(found, default=Origin.UNKNOWN)
        if found:  # the parameter may be rebound before or after its use
            return min(Origin.UNKNOWN, *found)
        if owner.in_class and owner.positional[:1] == [name] and owner.name in CONSTRUCTORS:
            return Origin.INSIDE
        if self.entry is not None and owner.matches(self.entry):  # jit passes copies
            return Origin.INSIDE if hasattr(self.bench.function, "lower") else Origin.ARGUMENT
        given = self._given(owner, name)
        found = [self._expression(caller, value, seen) for caller, value in given]
        return max(found, default=Origin.UNKNOWN)

    def _given(self, function: Function, name: str) -> Iterator[tuple[Function, ast.expr]]:
        """Yield what each call of a function gives for a parameter, with the calling function."""
        for caller in self.called:
            for node in own_nodes(caller.node):
                if not isinstance(node, ast.Call) or not self._calls(caller, node, function):
                    continue
                given = [node.func.value] if isinstance(node.func, ast.Attribute) else []
                given += node.args
                named = {k.arg: k.value for k in node.keywords}
                starred = None in named or any(isinstance(a, ast.Starred) for a in given)
                names = function.positional
                at = names.index(name) if name in names else len(given)
                if name in named:
                    yield caller, named[name]
                elif starred or at >= len(given):  # or it has a default, or a star collects it
                    yield caller, _UNFOLLOWED
                else:
                    yield caller, given[at]

    def _calls(self, caller: Function, call: ast.Call, function: Function) -> bool:
        if function.in_class is not None:
            return isinstance(call.func, ast.Attribute) and call.func.attr == function.name
        if not isinstance(call.func, ast.Name) or call.func.id != function.name:
            return False
        owner = caller.owner(function.name)
        if owner is None and hasattr(_resolve(self.bench, (function.name,)), "lower"):
            return False  # jitted: it is given copies
        return owner is function.outer

    def _expression(self, function: Function, node: ast.expr, seen: frozenset[tuple]) -> Origin:
        if isinstance(node, _FRESH):
            return Origin.INSIDE
        if isinstance(node, ast.IfExp):
            branches = (node.body, node.orelse)
            return max(self._expression(function, b, seen) for b in branches)
        if isinstance(node, ast.NamedExpr):
            return self._expression(function, node.value, seen)
        if not isinstance(node, ast.Call):
            chain = chain_of(node)
            return Origin.UNKNOWN if chain is None else self._name(function, chain[0], seen)
        chain = chain_of(node.func)
        if chain is None:
            return Origin.UNKNOWN
        copies = chain[-1].removeprefix(".") in _COPIES
        is_global = function.owner(chain[0]) is None
        fresh = copies or (is_global and isinstance(_resolve(self.bench, chain), type))
        return Origin.INSIDE if fresh else Origin.UNKNOWN


def _values(function: Function, name: str) -> Iterator[ast.expr]:
    """Yield what a function's own body assigns to a name."""
    for node in own_nodes(function.node):
        if not isinstance(node, _BINDING) or not _has_name(targets(node), name):
            continue
        whole = isinstance(node, (ast.AnnAssign, ast.NamedExpr)) or (
            isinstance(node, ast.Assign) and _has_name(node.targets, name)
        )
        value = None if isinstance(node, ast.For) else node.value
        yield value if whole and value is not None else _UNFOLLOWED


def _has_name(nodes: list[ast.AST] | list[ast.expr], name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in nodes)


def _is_guarded(mutation: Mutation) -> bool:
    """Check whether an `if` or `try` around it names the target: `if key not in CACHE: ...`."""
    for node in own_nodes(mutation.function.node):
        if isinstance(node, (ast.If, ast.Try)):
            guards = [node.test] if isinstance(node, ast.If) else node.body
            names = [n for guard in guards for n in ast.walk(guard)]
            inside = node.lineno <= mutation.line <= (node.end_lineno or 0)
            if inside and _has_name(names, mutation.root):
                return True
    return False


def _find_calls(function: Function) -> Iterator[tuple[ast.Call, tuple[str, ...]]]:
    """Yield the calls of `name(...)` and `name.attribute(...)` in a function's own body."""
    for node in own_nodes(function.node):
        chain = chain_of(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and chain is not None:
            yield node, chain


def _reachable(bench: Bench, ran: list[Function], known: list[Function]) -> list[Function]:
    """Find functions that untaken branches would call, by the names in the code that ran."""
    found: list[Function] = []
    todo = list(ran)
    while todo:
        for _, chain in _find_calls(todo.pop()):
            code = getattr(unwrap(_resolve(bench, chain)), "__code__", None)
            others = [f for f in known if f not in ran and f not in found]
            new = [f for f in others if code is not None and f.matches(code)]
            found += new
            todo += new
    return found


def _impure_calls(bench: Bench, function: Function) -> Iterator[tuple[str, int, str, str]]:
    for node, chain in _find_calls(function):
        impurity = impurity_of(_resolve(bench, chain))
        if impurity is not None and function.owner(chain[0]) is None:
            yield function.filename, node.lineno, *impurity


def report_untaken(bench: Bench, findings: Findings) -> None:
    known = functions(bench.student)
    ran = find_executed(known, bench.hits.codes)
    _report_sys_modules(bench, findings, ran)
    called = ran + _reachable(bench, ran, known)
    origins = _Origins(bench, ran, called)
    origin = {m: origins.of(m) for f in called for m in mutations(f)}
    found = [m for m, where in origin.items() if where is not Origin.INSIDE]
    calls = [call for f in called for call in _impure_calls(bench, f)]
    if not found and not calls:
        return
    covered = find_covered_lines(bench, {m.location for m in found} | {call[:2] for call in calls})
    for mutation in found:
        filename, line = mutation.location
        is_global = mutation.function.owner(mutation.root) is None
        value = _resolve(bench, mutation.chain[:1]) if is_global else None
        is_patch = isinstance(value, types.ModuleType) and mutation.how == "assigned"
        if is_patch and mutation.chain[1:]:
            # No snapshot sees what changes in an object of a library: `jnp.sum.calls = 1`.
            what = f"`{''.join(mutation.chain)}` of a library is changed"
            findings.add("module-patched", what, line, filename)
        elif mutation.location in covered:
            continue
        elif _is_guarded(mutation):
            if is_global:
                _report_refilled(bench, findings, mutation, value)
        else:
            name = "".join(mutation.chain).replace("[]", "[...]")
            rule, lives = "untaken-mutation", "lives"
            if origin[mutation] is Origin.UNKNOWN:
                rule, lives = "untaken-effect", "may live"
            what = f"`{name}`, which {lives} outside the call, would change here"
            findings.add(rule, what, line, filename)
    for filename, line, rule, what in calls:
        if (filename, line) not in covered:
            rule = "untaken-effect" if rule in _MILD else "untaken-mutation"
            findings.add(rule, f"{what} behind a branch", line, filename)


def _report_sys_modules(bench: Bench, findings: Findings, ran: list[Function]) -> None:
    """Report that `sys.modules` is read: that is not a call, so no probe sees it."""
    for function in ran:
        for node in own_nodes(function.node):
            if isinstance(node, ast.Attribute) and node.attr == "modules":
                chain = chain_of(node.value)
                if chain is not None and _resolve(bench, chain) is sys:
                    what = "sys.modules is read: it tells who is running the function"
                    findings.add("inspects-interpreter", what, node.lineno, function.filename)


def _report_refilled(bench: Bench, findings: Findings, mutation: Mutation, memo: object) -> None:
    """Empty a guarded memo that earlier calls filled, and watch how it is filled again."""
    if isinstance(memo, (dict, list, set)):
        memo.clear()
    else:
        bench.student.namespace[mutation.root] = None
    warm = bench.start
    bench.start = bench.snapshot(saving=True)
    try:
        plain = bench.run("plain")
        again = bench.run("plain", before=plain.after)
        bench.restore()
        trace = bench.run("trace")
        bench.restore()
        cold = [r for r in (plain, trace) if r.error is None]
        for change in plain.changed:
            if change.root == mutation.root:
                rule, what = "global-mutated", "keeps what an earlier call computed"
                if is_static_memo(bench, change, cold, [again]):
                    rule, what = "static-memo", "remembers a static value"
                what = f"`{change.path}` {what}"
                findings.add(rule, what, mutation.line, mutation.function.filename)
    finally:
        bench.start = warm
        bench.restore()
