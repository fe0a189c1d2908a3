"""Reports mutations and impure calls behind branches that these arguments did not take.

The source shows what they change, and whether it was created during the call or lives outside.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections.abc import Iterator
from enum import IntEnum

import numpy as np

from autograder.core.student_code import unwrap
from autograder.criteria.purity.changed import find_covered_lines, is_static_memo
from autograder.criteria.purity.constants import Constants
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
_OF_ARRAYS = (".ndim", ".size", ".shape", ".dtype")
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


def _can_change(bench: Bench, value: object, how: str) -> bool:
    """Check whether an assignment, or the method of this name, changes an object."""
    if bench.student.owns_type(type(value)):
        # A method that the student wrote is followed: its name alone says nothing.
        return how == "assigned" or not isinstance(_method(value, how), types.FunctionType)
    return isinstance(value, _MUTABLE)


def _method(value: object, name: str) -> object:
    """Find what a class defines under a name, without running any code of the class."""
    return next((vars(c)[name] for c in type(value).__mro__ if name in vars(c)), None)


def _resolve_called(bench: Bench, chain: tuple[str, ...]) -> object:
    """Find the function that a call of `name.attribute...` runs; None if unknown."""
    value = _resolve(bench, chain)
    if value is None and len(chain) > 1:
        return _method(_resolve(bench, chain[:-1]), chain[-1][1:])
    is_object = bench.student.owns_type(type(value))
    return _method(value, "__call__") if is_object else value


class Allocation(IntEnum):
    """Where an object comes from, the most harmless first."""

    INSIDE = 0
    UNKNOWN = 1
    POSSIBLY_OUTSIDE = 2
    ARGUMENT = 3
    OUTSIDE = 4


def _join(found: list[Allocation]) -> Allocation:
    """Return the origin of an object that may have any of these; only what all say is certain."""
    largest = max(found, default=Allocation.UNKNOWN)
    mixed = largest in (Allocation.ARGUMENT, Allocation.OUTSIDE) and Allocation.INSIDE in found
    return Allocation.POSSIBLY_OUTSIDE if mixed else largest


class _Origins:
    """Follows names through assignments and calls.

    `called` are the functions that `ran` and those that untaken branches would call.
    """

    def __init__(self, bench: Bench, ran: list[Function], called: list[Function]) -> None:
        self.bench, self.ran, self.called = bench, ran, called
        self.entry = getattr(unwrap(bench.function), "__code__", None)
        self._how = ""  # of the mutation that is followed

    def of(self, mutation: Mutation) -> Allocation:
        """Find where the object that a mutation changes comes from.

        It can be unknown only in functions that did not run: the runs have shown what the others
        are called with.
        """
        owner, self._how = mutation.function.owner(mutation.root), mutation.how
        if owner is None:
            value = _resolve(self.bench, mutation.chain)
            known = mutation.how == "assigned" or _can_change(self.bench, value, mutation.how)
            return Allocation.OUTSIDE if known else Allocation.INSIDE
        if owner not in self.called:
            return Allocation.OUTSIDE  # of a function that has returned
        if mutation.how == "assigned" and len(mutation.chain) == 1:
            return Allocation.INSIDE  # `nonlocal`, of a function of this call
        found = self._name(mutation.function, mutation.root, frozenset())
        if found is Allocation.ARGUMENT:
            return Allocation.OUTSIDE if self._changes_argument(mutation) else Allocation.INSIDE
        return Allocation.INSIDE if found is Allocation.UNKNOWN and owner in self.ran else found

    def _changes_argument(self, mutation: Mutation) -> bool:
        """Check, on the arguments of a call, whether a mutation changes one or its default."""
        path = mutation.chain[1:-1] if mutation.how == "assigned" else mutation.chain[1:]
        try:
            given = inspect.signature(self.bench.function).bind(*self.bench.arguments())
            given.apply_defaults()
            value = given.arguments[mutation.root]
        except (TypeError, ValueError, KeyError):  # an alias, or an adapter's parameter
            # An array has methods of the same names, which change nothing.
            return mutation.how in ("assigned", "append") and len(mutation.chain) > 1
        for part in path:
            value = _part(value, part)
        is_buffer = mutation.how == "assigned" and isinstance(value, np.ndarray)
        return is_buffer or _can_change(self.bench, value, mutation.how)

    def _name(self, function: Function, name: str, seen: frozenset[tuple]) -> Allocation:
        owner = function.owner(name)
        if owner is None:
            value = _resolve(self.bench, (name,))
            can_change = _can_change(self.bench, value, self._how)
            return Allocation.OUTSIDE if can_change else Allocation.UNKNOWN
        if (owner, name) in seen:
            return Allocation.INSIDE  # a cycle adds nothing
        seen |= {(owner, name)}
        found = [self._expression(owner, value, seen) for value in _values(owner, name)]
        if name not in owner.params:
            return _join(found)
        if found:  # the parameter may be rebound before or after its use
            return min(Allocation.UNKNOWN, *found)
        if owner.in_class and owner.positional[:1] == [name] and owner.name in CONSTRUCTORS:
            return Allocation.INSIDE
        if self.entry is not None and owner.matches(self.entry):  # jit passes copies
            return (
                Allocation.INSIDE if hasattr(self.bench.function, "lower") else Allocation.ARGUMENT
            )
        given = self.given(owner, name)
        return _join([self._expression(caller, value, seen) for caller, value in given])

    def given(self, function: Function, name: str) -> Iterator[tuple[Function, ast.expr]]:
        """Yield what each call of a function gives for a parameter, with the calling function."""
        for caller in self.called:
            for node in own_nodes(caller.node):
                if not isinstance(node, ast.Call) or not self._calls(caller, node, function):
                    continue
                given = [node.func.value] if isinstance(node.func, ast.Attribute) else []
                if function.name == "__call__":
                    given = [node.func]
                given += node.args
                named = {k.arg: k.value for k in node.keywords}
                starred = None in named or any(isinstance(a, ast.Starred) for a in given)
                names = function.positional
                at = names.index(name) if name in names else len(given)
                if name in named:
                    yield caller, named[name]
                elif starred or at >= len(given):  # or a star collects it
                    default = None if starred else function.default(name)
                    fixed = isinstance(default, ast.Constant)  # others live outside the call
                    yield caller, default if default is not None and fixed else _UNFOLLOWED
                else:
                    yield caller, given[at]

    def _calls(self, caller: Function, call: ast.Call, function: Function) -> bool:
        if function.name == "__call__" and isinstance(call.func, ast.Name):
            called = type(_resolve(self.bench, (call.func.id,)))
            return function.in_class in {c.__name__ for c in called.__mro__}
        if function.in_class is not None:
            return isinstance(call.func, ast.Attribute) and call.func.attr == function.name
        if not isinstance(call.func, ast.Name) or call.func.id != function.name:
            return False
        owner = caller.owner(function.name)
        if owner is None and hasattr(_resolve(self.bench, (function.name,)), "lower"):
            return False  # jitted: it is given copies
        return owner is function.outer

    def _expression(self, function: Function, node: ast.expr, seen: frozenset[tuple]) -> Allocation:
        if isinstance(node, _FRESH):
            return Allocation.INSIDE
        if isinstance(node, ast.IfExp):
            branches = (node.body, node.orelse)
            return _join([self._expression(function, b, seen) for b in branches])
        if isinstance(node, ast.NamedExpr):
            return self._expression(function, node.value, seen)
        if not isinstance(node, ast.Call):
            chain = chain_of(node)
            return Allocation.UNKNOWN if chain is None else self._name(function, chain[0], seen)
        chain = chain_of(node.func)
        if chain is None:
            return Allocation.UNKNOWN
        copies = chain[-1].removeprefix(".") in _COPIES
        is_global = function.owner(chain[0]) is None
        fresh = copies or (is_global and isinstance(_resolve(self.bench, chain), type))
        return Allocation.INSIDE if fresh else Allocation.UNKNOWN


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


def _part(value: object, part: str) -> object:
    """Return an attribute of a value, or for "[]" one of its items; None if there is none."""
    if part != "[]":
        return (instance_dict(value) or {}).get(part[1:])
    if isinstance(value, dict):
        return next(iter(dict.values(value)), None)
    return value[0] if isinstance(value, (list, tuple)) and value else None


def _has_name(nodes: list[ast.AST] | list[ast.expr], name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in nodes)


def _is_guarded(mutation: Mutation) -> bool:
    """Check whether an `if` or `try` around it asks for its target: `if key not in CACHE: ...`."""
    for node in own_nodes(mutation.function.node):
        if isinstance(node, (ast.If, ast.Try)):
            inside = node.lineno <= mutation.line <= (node.end_lineno or 0)
            guards = [node.test] if isinstance(node, ast.If) else node.body
            asks = _asks_for if isinstance(node, ast.If) else _mentions
            if inside and any(asks(guard, mutation.root) for guard in guards):
                return True
    return False


def _mentions(node: ast.AST, name: str) -> bool:
    return _has_name(list(ast.walk(node)), name)


def _asks_for(test: ast.AST, name: str) -> bool:
    """Check whether a test is about what `name` holds, rather than about a shape, say."""
    match test:
        case ast.BoolOp(values=values):
            return any(_asks_for(value, name) for value in values)
        case ast.UnaryOp(operand=operand):
            return _asks_for(operand, name)
        case ast.NamedExpr(value=value):
            return _asks_for(value, name)
        case ast.Compare(left=left, ops=ops, comparators=others):
            about = any(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in ops)
            sides = [left, *others]
            return any(_mentions(x, name) if about else _asks_for(x, name) for x in sides)
        case ast.Call(func=ast.Name(), args=args):  # hasattr, len
            return any(_is_part_of(x, name) for x in args)
        case ast.Call(func=ast.Attribute(attr="get", value=value)):
            return _is_part_of(value, name)
    return _is_part_of(test, name)


def _is_part_of(node: ast.AST, name: str) -> bool:
    chain = chain_of(node)
    return chain is not None and chain[0] == name and chain[-1] not in _OF_ARRAYS


def _find_calls(function: Function) -> Iterator[tuple[ast.Call, tuple[str, ...]]]:
    """Yield the calls of `name(...)` and `name.attribute(...)` in a function's own body."""
    for node in own_nodes(function.node):
        chain = chain_of(node.func) if isinstance(node, ast.Call) else None
        if isinstance(node, ast.Call) and chain is not None:
            yield node, chain


def _reachable(
    bench: Bench, constants: Constants, ran: list[Function], known: list[Function]
) -> list[Function]:
    """Find functions that untaken branches would call, by the names in the code that ran."""
    found: list[Function] = []
    todo = list(ran)
    while todo:
        function = todo.pop()
        for node, chain in _find_calls(function):
            if constants.is_dead(function, node.lineno):
                continue
            code = getattr(unwrap(_resolve_called(bench, chain)), "__code__", None)
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
    reads = _reads_of_modules(bench, ran)
    origins = _Origins(bench, ran, list(ran))
    constants = Constants(bench, origins.given)
    origins.called += _reachable(bench, constants, ran, known)
    called = origins.called
    origin = {m: origins.of(m) for f in called for m in mutations(f)}
    found = [m for m, where in origin.items() if where is not Allocation.INSIDE]
    found = [m for m in found if not constants.is_dead(m.function, m.line)]
    calls = [c for f in called for c in _impure_calls(bench, f) if not constants.is_dead(f, c[1])]
    if not found and not calls and not reads:
        return
    wanted = {m.location for m in found} | {call[:2] for call in calls} | reads
    covered = find_covered_lines(bench, wanted)
    for filename, line in sorted(reads & covered):
        what = "sys.modules is read: it tells who is running the function"
        findings.add("inspects-interpreter", what, line, filename)
    for mutation in found:
        filename, line = mutation.location
        is_global = mutation.function.owner(mutation.root) is None
        value = _resolve(bench, mutation.chain[:1]) if is_global else None
        is_patch = isinstance(value, types.ModuleType) and mutation.how == "assigned"
        is_seen = mutation.location in covered and len(mutation.chain) == 2
        if is_patch and mutation.chain[1:] and not is_seen:
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
            if origin[mutation] in (Allocation.UNKNOWN, Allocation.POSSIBLY_OUTSIDE):
                rule, lives = "untaken-effect", "may live"
            what = f"`{name}`, which {lives} outside the call, would change here"
            findings.add(rule, what, line, filename)
    for filename, line, rule, what in calls:
        if (filename, line) not in covered:
            rule = "untaken-effect" if rule in _MILD else "untaken-mutation"
            findings.add(rule, f"{what} behind a branch", line, filename)


def _reads_of_modules(bench: Bench, ran: list[Function]) -> set[tuple[str, int]]:
    """Return where `sys.modules` is read: that is not a call, so no probe sees it."""
    found = set()
    for function in ran:
        for node in own_nodes(function.node):
            if isinstance(node, ast.Attribute) and node.attr == "modules":
                chain = chain_of(node.value)
                if chain is not None and _resolve(bench, chain) is sys:
                    found.add((function.filename, node.lineno))
    return found


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
