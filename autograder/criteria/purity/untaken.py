"""Reports mutations and impure calls behind branches that these arguments did not take.

The source tells what they change, and whether that was made during the call or lives outside.
"""

from __future__ import annotations

import ast
import builtins
import sys
import types
from collections.abc import Iterator
from enum import IntEnum

from autograder.criteria.purity.changed import covered_lines, is_static_memo
from autograder.criteria.purity.impure_calls import impurity_of
from autograder.criteria.purity.report import Report
from autograder.criteria.purity.runs import Bench
from autograder.criteria.purity.source import (
    Function,
    Mutation,
    chain_of,
    executed,
    functions,
    mutations,
    numbered_steps,
    outer_changes,
    own_nodes,
)
from autograder.criteria.purity.student import unwrap
from autograder.criteria.purity.values import instance_dict
from autograder.criteria.purity.walk import snapshot

_MUTABLE = (list, dict, set, bytearray)
_FRESH = (
    *(ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp),
    *(ast.GeneratorExp, ast.Constant, ast.JoinedStr, ast.BinOp, ast.Compare, ast.UnaryOp),
    ast.Lambda,
)
_COPIES = ("copy", "deepcopy", "sorted")
_UNFOLLOWED: ast.expr = ast.Await(ast.Constant(None))
"""Stands for a part of a container and other values that are not followed."""
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__")


def _resolve(bench: Bench, chain: tuple[str, ...]) -> object:
    """Find the object behind `name.attribute...` in the student's namespace; None if unknown."""
    value = bench.student.namespace.get(chain[0], vars(builtins).get(chain[0]))
    for part in chain[1:]:
        if not part.startswith("."):
            return None
        name = part[1:]
        if isinstance(value, types.ModuleType):
            value = vars(value).get(name)
        else:
            value = (instance_dict(value) or {}).get(name)
    return value


def _can_change(bench: Bench, value: object) -> bool:
    return isinstance(value, _MUTABLE) or bench.student.owns_type(type(value))


class Origin(IntEnum):
    """Where an object comes from; of several possibilities, the larger one counts."""

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
        """Find where the object comes from that a mutation changes.

        Unknown only in functions that did not run: what those that ran are given, the runs have
        shown.
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
        if found:  # which one it is depends on the order
            return min(Origin.UNKNOWN, *found)
        return self._parameter(owner, name, seen)

    def _parameter(self, function: Function, name: str, seen: frozenset[tuple]) -> Origin:
        args = function.node.args
        names = [a.arg for a in (*args.posonlyargs, *args.args)]
        if function.in_class and names[:1] == [name] and function.name in _CONSTRUCTORS:
            return Origin.INSIDE
        if self.entry is not None and function.matches(self.entry):  # jit hands over copies
            return Origin.INSIDE if hasattr(self.bench.function, "lower") else Origin.ARGUMENT
        given = self._given(function, names, name)
        found = [self._expression(caller, value, seen) for caller, value in given]
        return max(found, default=Origin.UNKNOWN)

    def _given(
        self, function: Function, names: list[str], name: str
    ) -> Iterator[tuple[Function, ast.expr]]:
        """Yield what each call gives for a parameter."""
        for caller in self.called:
            for node in own_nodes(caller.node):
                if not isinstance(node, ast.Call):
                    continue
                bound = self._receiver(caller, node, function)
                if bound is None:
                    continue
                given = [*bound, *node.args]
                named = {k.arg: k.value for k in node.keywords}
                at = names.index(name) if name in names else len(given)
                starred = None in named or any(isinstance(a, ast.Starred) for a in given)
                if name in named:
                    yield caller, named[name]
                elif starred or at >= len(given):  # or a default, or collected by a star
                    yield caller, _UNFOLLOWED
                else:
                    yield caller, given[at]

    def _receiver(
        self, caller: Function, call: ast.Call, function: Function
    ) -> list[ast.expr] | None:
        """Return what a call of the function passes before its arguments; None for other calls."""
        if function.in_class is not None:
            method = isinstance(call.func, ast.Attribute) and call.func.attr == function.name
            return [call.func.value] if method else None  # type: ignore[union-attr]
        if not isinstance(call.func, ast.Name) or call.func.id != function.name:
            return None
        owner = caller.owner(call.func.id)
        if owner is None and hasattr(_resolve(self.bench, (function.name,)), "lower"):
            return None  # jitted: it is handed copies
        return [] if owner is function.outer else None

    def _expression(self, function: Function, node: ast.expr, seen: frozenset[tuple]) -> Origin:
        if isinstance(node, _FRESH):
            return Origin.INSIDE
        if isinstance(node, ast.IfExp):
            branches = (node.body, node.orelse)
            return max(self._expression(function, b, seen) for b in branches)
        if isinstance(node, ast.NamedExpr):
            return self._expression(function, node.value, seen)
        if isinstance(node, ast.Call):
            chain = chain_of(node.func)
            copies = chain is not None and chain[-1].removeprefix(".") in _COPIES
            made = chain is not None and function.owner(chain[0]) is None
            fresh = copies or (made and isinstance(_resolve(self.bench, chain), type))  # type: ignore[arg-type]
            return Origin.INSIDE if fresh else Origin.UNKNOWN
        chain = chain_of(node)
        return Origin.UNKNOWN if chain is None else self._name(function, chain[0], seen)


def _values(function: Function, name: str) -> Iterator[ast.expr]:
    """Yield what a function's own body assigns to a name."""
    for node in own_nodes(function.node):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name) and target.id == name:
                    yield node.value
                elif isinstance(target, (ast.Tuple, ast.List)) and _binds(target, name):
                    yield _UNFOLLOWED
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
            if node.value is not None and _binds(node.target, name):
                yield node.value
        elif isinstance(node, (ast.For, ast.AsyncFor)) and _binds(node.target, name):
            yield _UNFOLLOWED


def _binds(target: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(target)) and not (
        isinstance(target, (ast.Attribute, ast.Subscript))
    )


def _patches_library(bench: Bench, mutation: Mutation) -> bool:
    """Check whether a library's object changes, which no snapshot sees: `jnp.sum.calls = 1`."""
    if mutation.function.owner(mutation.root) is not None or len(mutation.chain) < 2:
        return False
    value = _resolve(bench, mutation.chain[:1])
    return isinstance(value, types.ModuleType) and mutation.how == "assigned"


def _is_guarded(mutation: Mutation) -> bool:
    """Check whether an `if` or `try` around it names the target: `if key not in CACHE: ...`."""
    for node in own_nodes(mutation.function.node):
        if not isinstance(node, (ast.If, ast.Try)):
            continue
        if node.lineno <= mutation.line <= (node.end_lineno or 0):
            guards = [node.test] if isinstance(node, ast.If) else node.body
            names = (n for guard in guards for n in ast.walk(guard) if isinstance(n, ast.Name))
            if any(name.id == mutation.root for name in names):
                return True
    return False


def _reachable(bench: Bench, ran: list[Function], known: list[Function]) -> list[Function]:
    """Find functions that untaken branches would call, by the names in the code that ran."""
    found: list[Function] = []
    todo = list(ran)
    while todo:
        for node in own_nodes(todo.pop().node):
            if not isinstance(node, ast.Call):
                continue
            chain = chain_of(node.func)
            target = unwrap(_resolve(bench, chain)) if chain else None
            code = getattr(target, "__code__", None)
            for function in known:
                new = function not in found and function not in ran
                if code is not None and new and function.matches(code):
                    found.append(function)
                    todo.append(function)
    return found


def _report_from_bytecode(bench: Bench, report: Report) -> None:
    """Do the same without source: globals and their mutating methods only."""
    found = [
        c
        for c in outer_changes(bench.hits.codes)
        if not c.free
        and (c.how == "assigned" or isinstance(bench.student.namespace.get(c.name), _MUTABLE))
    ]
    if found:
        covered = covered_lines(bench, {(c.code.co_filename, c.line) for c in found})
        for change in found:
            if (change.code.co_filename, change.line) not in covered:
                what = f"`{change.name}`, which lives outside the call, would change here"
                report.add("untaken-mutation", what, change.line, change.code.co_filename)


def _report_sys_modules(bench: Bench, report: Report) -> None:
    """Report that `sys.modules` is read: that is no call, so no probe sees it."""
    for code in bench.hits.codes:
        previous = None
        for step, line in numbered_steps(code):
            if previous is not None and step.argval == "modules":
                value = bench.student.namespace.get(previous.argval)
                if previous.opname in ("LOAD_GLOBAL", "LOAD_FAST") and value is sys:
                    what = "sys.modules is read: it tells who is running the function"
                    report.add("inspects-interpreter", what, line, code.co_filename)
            previous = step


def report_untaken(bench: Bench, report: Report) -> None:
    _report_sys_modules(bench, report)
    known = functions(bench.student)
    if not known:
        _report_from_bytecode(bench, report)
        return
    ran = executed(known, bench.hits.codes)
    called = ran + _reachable(bench, ran, known)
    origins = _Origins(bench, ran, called)
    origin = {m: origins.of(m) for f in called for m in mutations(f)}
    found = [m for m, where in origin.items() if where is not Origin.INSIDE]
    calls = [c for f in called for c in _impure_calls(bench, f)]
    if not found and not calls:
        return
    lines = {m.location for m in found} | {(f.filename, line) for f, line, _, _ in calls}
    covered = covered_lines(bench, lines)
    for mutation in found:
        if _patches_library(bench, mutation):
            what = f"`{''.join(mutation.chain)}` of a library is changed"
            report.add("module-patched", what, mutation.line, mutation.function.filename)
            continue
        if mutation.location in covered:
            continue
        if _is_guarded(mutation):
            _report_refilled(bench, report, mutation)
            continue
        name = "".join(mutation.chain).replace("[]", "[...]")
        if origin[mutation] is Origin.UNKNOWN:
            rule, what = "untaken-effect", f"`{name}`, which may live outside the call"
        else:
            rule, what = "untaken-mutation", f"`{name}`, which lives outside the call"
        what = f"{what}, would change here"
        report.add(rule, what, mutation.line, mutation.function.filename)
    for function, line, rule, what in calls:
        if (function.filename, line) not in covered:
            mild = rule in ("prints", "logs", "warns", "debug-print")
            rule = "untaken-effect" if mild else "untaken-mutation"
            report.add(rule, f"{what} behind a branch", line, function.filename)


def _impure_calls(bench: Bench, function: Function) -> Iterator[tuple[Function, int, str, str]]:
    for node in own_nodes(function.node):
        if not isinstance(node, ast.Call):
            continue
        chain = chain_of(node.func)
        if chain is None or function.owner(chain[0]) is not None:
            continue
        impurity = impurity_of(_resolve(bench, chain))
        if impurity is not None:
            yield function, node.lineno, *impurity


def _report_refilled(bench: Bench, report: Report, mutation: Mutation) -> None:
    """Empty a guarded memo that earlier calls have filled, and watch it being filled."""
    value = _resolve(bench, mutation.chain[:1])
    if mutation.function.owner(mutation.root) is not None:
        return
    if isinstance(value, (dict, list, set)):
        value.clear()
    else:
        bench.student.namespace[mutation.root] = None
    warm = bench.start
    bench.start = snapshot(bench.student, bench.function, saving=True)
    try:
        plain = bench.run("plain", before=bench.start)
        again = bench.run("plain", before=plain.after)
        bench.restore()
        trace = bench.run("trace", before=bench.start)
        bench.restore()
        cold = [r for r in (plain, trace) if r.error is None]
        for change in plain.changed:
            if change.root != mutation.root:
                continue
            if is_static_memo(bench, change, cold, [again]):
                rule, what = "static-memo", "remembers a static value"
            else:
                rule, what = "global-mutated", "keeps what an earlier call computed"
            what = f"`{change.path}` {what}"
            report.add(rule, what, mutation.line, mutation.function.filename)
    finally:
        bench.start = warm
        bench.restore()
