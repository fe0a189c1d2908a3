"""What is known of values before anything runs, and which names of a function hold them.

Only what a call has made may it change, and only by the name that it gave it. An iterator may be
used up where it is made, and a set may be asked: neither may be kept, passed on or returned.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Flag, auto
from functools import cached_property

from autograder.source.cells_read import changed_root
from autograder.source.scopes import COMPREHENSIONS, assigned_inside, inside_of, local_names, within

ANY, NEW, OWN = 0, 1, 2
"""May have been there before the call; made in the call, or unchangeable, but its parts may have
been there; made in the call with all its parts."""
Function = ast.FunctionDef | ast.Lambda
CALLER = "what the caller gives"


class ValueKind(Flag):
    """What an expression may be, or give, beside a plain value; some only where it stands.

    An iterator; a set; an array of NumPy that a call has made, or an object that holds it; jit
    itself; what is only computed with, never called; what is called where it stands.
    """

    ITERATOR = auto()
    SET = auto()
    ARRAY = auto()
    JIT = auto()
    OPERAND = auto()
    CALLED = auto()


NOTHING = ValueKind(0)


@dataclass(frozen=True)
class OwnClass:
    """A class of the slice: a NamedTuple, a dataclass, or one whose `__init__` assigns attributes.

    Attributes:
        name: of the class.
        members: fields, attributes that its methods assign, and methods.
        shared: members that may be read of the class itself: static and class methods, constants.
        methods: the definitions of its methods.
        changing: names of methods that change the object that they are called on.
        parameters: what a call of the class takes by position, with the field that each is kept in.
        compared: attributes that jit compares to find a program: aux data, and static fields.
    """

    name: str
    members: frozenset[str]
    shared: frozenset[str] = frozenset()
    methods: tuple[ast.FunctionDef, ...] = ()
    changing: frozenset[str] = frozenset()
    parameters: tuple[tuple[str, str], ...] = ()
    compared: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Value:
    """What is known of what an expression gives.

    Attributes:
        fresh: ANY, NEW or OWN.
        may_be: an iterator, a set, an array of NumPy.
        is_plain: whether it is the same, and is written in the same way, traced or not.
        is_jax: whether it is a number or an array of JAX, which nothing can change.
        dotted: the name in a library that it stands for; Python's own are in `builtins`.
        part_of: the library's function of whose result it is a part, or CALLER.
        is_class: whether it is a class of the slice.
        is_object: whether it is an object of one.
        own: that class.
        function: the function of the slice that it is.
        outer: the scope around that function; None at the top.
    """

    fresh: int = ANY
    may_be: ValueKind = NOTHING
    is_plain: bool = False
    is_jax: bool = False
    dotted: str = ""
    part_of: str = ""
    is_class: bool = False
    is_object: bool = False
    own: OwnClass | None = None
    function: Function | None = None
    outer: Scope | None = None

    @property
    def is_new(self) -> bool:
        """Whether the value was made in the same call."""
        return self.fresh >= NEW

    @property
    def is_own(self) -> bool:
        """Whether the value is one of the function's own, of which all parts are known."""
        return self.fresh == OWN

    def part(self) -> Value:
        """Return what is known of one of its items."""
        fresh, may_be = OWN if self.is_own else ANY, self.may_be & ValueKind.ARRAY
        plain = self.is_plain
        return Value(fresh, may_be, is_plain=plain, is_jax=plain, part_of=self.part_of)


UNKNOWN = Value()
NUMBER = Value(OWN, is_plain=True, is_jax=True)
UNSET = Value(OWN, is_plain=True, is_jax=True, dotted="not bound yet")
"""Of a name whose bindings have not been looked at yet: any other value replaces it."""
Given = ast.expr | Value
"""What a name is given: an expression, or what is known of its value."""


def join(values: list[Value]) -> Value:
    """Return what holds of each of some values."""
    first, *others = [v for v in values if v is not UNSET] or [UNSET]
    for other in others:
        names = ("dotted", "part_of", "is_class", "is_object", "own", "function", "outer")
        same = {n: getattr(first, n) for n in names if getattr(first, n) == getattr(other, n)}
        first = Value(
            min(first.fresh, other.fresh),
            first.may_be | other.may_be,
            first.is_plain and other.is_plain,
            first.is_jax and other.is_jax,
            **same,
        )
    return first


@dataclass(eq=False)
class Scope:
    """A function, lambda or comprehension, with what binds its names.

    Attributes:
        node: the scope's node.
        outer: the scope around it; None at the top.
        names: those that belong to it.
        values: what they hold.
        bound: what binds each of them: an expression, or a value that is known; not for parameters.
        binders: the nodes at which a name is bound, or its object is changed.
        fills: what is put into objects of local names.
        filled: the least fresh of that.
        me: the parameter that is an object of an own class, or the class; "" elsewhere.
        is_rebuilt: whether JAX makes new containers for its arguments, which are then its own.
        is_settled: whether `values` is complete.
    """

    node: ast.AST
    outer: Scope | None
    names: frozenset[str]
    values: dict[str, Value] = field(default_factory=dict)
    bound: dict[str, list[Given]] = field(default_factory=dict)
    binders: dict[str, list[ast.AST]] = field(default_factory=dict)
    fills: list[Given] = field(default_factory=list)
    filled: int = OWN
    me: str = ""
    is_rebuilt: bool = False
    is_settled: bool = False

    @property
    def function(self) -> Scope:
        """The function that runs it: a comprehension runs in the function around it."""
        scope = self
        while isinstance(scope.node, COMPREHENSIONS) and scope.outer is not None:
            scope = scope.outer
        return scope

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What each node of it stands in."""
        return {child: x for x in ast.walk(self.node) for child in ast.iter_child_nodes(x)}

    @cached_property
    def reads(self) -> dict[str, list[ast.Name]]:
        """Where each name stands in it."""
        found: dict[str, list[ast.Name]] = {}
        for x in self.parents:
            if isinstance(x, ast.Name):
                found.setdefault(x.id, []).append(x)
        return found

    def loops_around(self, node: ast.AST) -> set[ast.AST]:
        """Return the loops of it that a node stands in."""
        found: set[ast.AST] = set()
        while node in self.parents:
            node = self.parents[node]
            found |= {node} if isinstance(node, (ast.For, ast.While, *COMPREHENSIONS)) else set()
        return found

    def find(self, name: str) -> Scope | None:
        """Return the scope that binds a name; None for a global name."""
        scope: Scope | None = self
        while scope is not None and name not in scope.names:
            scope = scope.outer
        return scope

    def bind(self, target: ast.AST, given: Given, at: ast.AST | None = None) -> None:
        """Enter what a target binds, or whose object it changes."""
        for part, value in pairs(target, given):
            if isinstance(part, ast.Name):
                self.bound.setdefault(part.id, []).append(value)
                self.binders.setdefault(part.id, []).append(at or part)
            elif root := changed_root(part):
                self.binders.setdefault(root, []).append(part)
                self.fills.append(value)


def open_scope(node: ast.AST, outer: Scope | None) -> Scope:
    """Return the scope of a function, lambda or comprehension, with what binds its names."""
    scope = Scope(node, outer, local_names(node))
    for x in within(*inside_of(node)):
        _read(x, scope)
    return scope


def _read(node: ast.AST, scope: Scope) -> None:
    """Enter what a node binds, and what it puts into the objects of names."""
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                scope.bind(target, value)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            scope.bind(target, value)
        case ast.NamedExpr(target=target, value=value):
            scope.bind(target, value)
        case ast.AugAssign(target=target, op=op, value=value):
            scope.bind(target, ast.BinOp(target, op, value), node)
            scope.fills.append(value)
        case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
            for part, item in items(target, it):
                scope.bind(part, item)
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for a in names:
                name = ast.Name(a.asname or a.name.split(".")[0])
                scope.bind(name, Value(dotted=imported(a, node)))
        case ast.FunctionDef(name=name):
            scope.bind(ast.Name(name), Value(function=node, outer=scope), node)
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            scope.bind(ast.Name(name), UNKNOWN, node)
        case ast.MatchMapping(rest=str(name)):
            scope.bind(ast.Name(name), UNKNOWN, node)
        case ast.Delete(targets=targets):
            for root in filter(None, map(changed_root, targets)):
                scope.binders.setdefault(root, []).append(node)
        case ast.Call(args=args, keywords=keywords) if root := changed_root(node):
            scope.binders.setdefault(root, []).append(node)
            scope.fills += [*args, *(k.value for k in keywords)]
        case _ if isinstance(node, COMPREHENSIONS):
            # It may name what the comprehension binds, so that its value is not known here.
            for name in assigned_inside(node):
                scope.bind(name, UNKNOWN)
            for x in (x for part in inside_of(node) for x in ast.walk(part)):
                if root := changed_root(x):
                    scope.binders.setdefault(root, []).append(x)
                    scope.fills.append(UNKNOWN)


def pairs(target: ast.AST, given: Given) -> Iterator[tuple[ast.AST, Given]]:
    """Yield each single target of an assignment, with what it is given."""
    match target:
        case ast.Starred(value=inner):
            yield from pairs(inner, UNKNOWN)
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            parts = given.elts if isinstance(given, (ast.Tuple, ast.List)) else []
            has_star = any(isinstance(x, ast.Starred) for x in (*elts, *parts))
            if has_star or len(parts) != len(elts):
                item = given.part() if isinstance(given, Value) else _item(given)
                parts = [UNKNOWN if has_star else item] * len(elts)
            for part, single in zip(elts, parts, strict=True):
                yield from pairs(part, single)
        case _:
            yield target, given


def items(target: ast.expr, it: ast.expr) -> list[tuple[ast.expr, Given]]:
    """Return the targets of a loop, each with what it is given."""
    match target, it:
        case ast.Tuple(elts=[count, other]), ast.Call(func=ast.Name(id="enumerate")):
            # Without arguments, it stands for what counts.
            return [(count, _item(ast.Call(it.func, [], []))), (other, UNKNOWN)]
        case _:
            return [(target, _item(it))]


def _item(node: ast.expr) -> ast.expr:
    return ast.Subscript(node, ast.Constant(0))


def imported(alias: ast.alias, node: ast.Import | ast.ImportFrom) -> str:
    """Return the dotted name that an import binds."""
    if isinstance(node, ast.ImportFrom):
        return f"{node.module or ''}.{alias.name}"
    return alias.name if alias.asname else alias.name.split(".")[0]
