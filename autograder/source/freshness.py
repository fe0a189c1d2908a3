"""What a function's local names hold: something made in this call, an iterator, a set, a number.

Only what a call has made may it change, and only by the name that it gave it. An iterator may be
used up where it is made, and a set may be asked: neither may be kept, passed on or returned.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from autograder.source import grammar
from autograder.source.cells_read import CHANGING
from autograder.source.symbol_tables import (
    COMPREHENSIONS,
    SymbolTables,
    inside_of,
    parameters_of,
    within,
)

ANY, NEW, OWN = 0, 1, 2
"""May have been there before the call; made in the call, or unchangeable, but its parts may have
been there; made in the call with all its parts."""
_ROUNDS = 12
"""In which the kinds of a scope's names must become steady; what is not steady then is ANY."""
_SET_OPERATORS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)


@dataclass(frozen=True, eq=False)
class Bound:
    """One way in which a name of a scope gets its value.

    `value` is None where it is not known; `number` says that it counts; `item` is of what it is
    one item, as in a loop; `dotted` is where it is imported from; `function` is its definition.
    """

    value: ast.expr | None = None
    number: bool = False
    dotted: str = ""
    function: ast.FunctionDef | None = None


@dataclass(eq=False)
class FunctionScope:
    """A function, lambda or comprehension, with what binds its names.

    Attributes:
        node: the scope's node.
        tables: the symbol tables of its cell.
        outer: the scope around it; None at the top.
        bound: the bindings of each local name, but for parameters.
        fills: what is put into the object of each local name.
        new_self: the parameter that is the object being made, in `__init__`; "" elsewhere.
        me: the parameter that is an object of an own class, or the class; "" elsewhere.
        maker: the parameter that is the own class, in a class method.
        static: parameters whose values jit is given as they are.
    """

    node: ast.AST
    tables: SymbolTables
    outer: FunctionScope | None
    bound: dict[str, list[Bound]] = field(default_factory=dict)
    fills: dict[str, list[ast.expr]] = field(default_factory=dict)
    new_self: str = ""
    me: str = ""
    maker: str = ""
    static: frozenset[str] = frozenset()
    kinds: dict[str, int] = field(default_factory=dict)
    iterators: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()

    @property
    def function(self) -> FunctionScope:
        """The function that runs it: a comprehension runs in the function around it."""
        scope = self
        while isinstance(scope.node, COMPREHENSIONS) and scope.outer is not None:
            scope = scope.outer
        return scope

    def find(self, name: str) -> FunctionScope | None:
        """Return the scope that binds a name; None for a global name.

        Raises:
            AmbiguousScope: Python's tables do not tell.
        """
        where = self.tables.where(name, self.node)
        if where == "here":
            return self
        scope = self.outer
        while where == "outside" and scope is not None:
            if name in scope.bound or name in parameters_of(scope.node):
                return scope
            scope = scope.outer
        return None


def open_scope(node: ast.AST, tables: SymbolTables, outer: FunctionScope | None) -> FunctionScope:
    """Return the scope of a function, lambda or comprehension, with its bindings."""
    scope = FunctionScope(node, tables, outer)
    for part in inside_of(node):
        for x in within(part):
            for name, bound in _bindings(x):
                scope.bound.setdefault(name, []).append(bound)
            for name, value in _fills(x):
                scope.fills.setdefault(name, []).append(value)
    if isinstance(node, COMPREHENSIONS):
        first = node.generators[0]
        for name, bound in _items(first.target, first.iter):
            scope.bound.setdefault(name, []).append(bound)
    return scope


def _bindings(node: ast.AST) -> Iterator[tuple[str, Bound]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _assigned(target, value)
        case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
            yield name, Bound(value)
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, Bound(value)
        case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
            yield name, Bound(ast.BinOp(target, op, value))
        case ast.For(target=target, iter=it) | ast.comprehension(target=target, iter=it):
            yield from _items(target, it)
        case ast.With(items=items):
            for item in items:
                if item.optional_vars is not None:
                    yield from _assigned(item.optional_vars, None)
        case ast.Import(names=names):
            for a in names:
                yield a.asname or a.name.split(".")[0], Bound(dotted=imported(a, None))
        case ast.ImportFrom(names=names, module=module):
            for a in names:
                yield a.asname or a.name, Bound(dotted=imported(a, module or ""))
        case ast.FunctionDef(name=name):
            yield name, Bound(function=node)
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, Bound()
        case ast.MatchMapping(rest=str(name)):
            yield name, Bound()
        case _ if isinstance(node, COMPREHENSIONS):
            for part in inside_of(node):
                for x in ast.walk(part):
                    if isinstance(x, ast.NamedExpr):
                        yield x.target.id, Bound()
        case _:
            pass


def imported(alias: ast.alias, module: str | None) -> str:
    """Return the dotted name that an import binds; None is the module of a plain `import`."""
    if module is None:
        return alias.name if alias.asname else alias.name.split(".")[0]
    return f"{module}.{alias.name}"


def _assigned(target: ast.AST, value: ast.expr | None) -> Iterator[tuple[str, Bound]]:
    match target:
        case ast.Name(id=name):
            yield name, Bound(value)
        case ast.Starred(value=inner):
            yield from _assigned(inner, None)
        case ast.Tuple(elts=elts) | ast.List(elts=elts):
            pairs: list[ast.expr | None] = [None] * len(elts)
            given = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
            is_starred = any(isinstance(x, ast.Starred) for x in (*elts, *given))
            if len(given) == len(elts) and not is_starred:
                pairs = list(given)
            for part, single in zip(elts, pairs, strict=True):
                yield from _assigned(part, single)
        case _:
            pass


def _items(target: ast.AST, it: ast.expr) -> Iterator[tuple[str, Bound]]:
    called = it.func.id if isinstance(it, ast.Call) and isinstance(it.func, ast.Name) else ""
    match target:
        case ast.Name(id=name) if called == "range":
            yield name, Bound(number=True)
        case ast.Tuple(elts=[ast.Name(id=name), *others]) if called == "enumerate":
            yield name, Bound(number=True)
            for other in others:
                yield from _assigned(other, None)
        case _:
            yield from _assigned(target, None)


def _fills(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    match node:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                if isinstance(target, (ast.Subscript, ast.Attribute)) and (root := _root(target)):
                    yield root, value
        case ast.AugAssign(target=target, value=value):
            if root := _root(target):
                yield root, value
        case ast.For(target=target) | ast.comprehension(target=target):
            for x in ast.walk(target):
                if isinstance(x, (ast.Subscript, ast.Attribute)) and (root := _root(x)):
                    yield root, x  # which is ANY
        case ast.Call(func=ast.Attribute(attr=attr) as func, args=args) if attr in CHANGING:
            if root := _root(func):
                for value in (*args, *(k.value for k in node.keywords)):
                    yield root, value
        case _:
            pass


def _root(node: ast.AST) -> str | None:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


@dataclass
class Freshness:
    """Tells the kind of an expression, given what its names hold.

    Attributes:
        library: returns the dotted name of an expression, where it is a library's.
        builtin: whether a name is Python's own, in a scope.
        makes: returns the kind of what a call of own code gives.
        own_arithmetic: whether an own class defines operators.
        members: of own classes, which may mean something else by a library's word.
        global_sets: names at the top that hold sets.
    """

    library: Callable[[ast.expr, FunctionScope | None], str | None]
    builtin: Callable[[str, FunctionScope | None], bool]
    makes: Callable[[ast.Call, FunctionScope], int]
    own_arithmetic: bool = False
    members: frozenset[str] = frozenset()
    global_sets: set[str] = field(default_factory=set)

    def settle(self, scope: FunctionScope) -> None:
        """Find the kinds of a scope's names, and which of them hold iterators and sets."""
        given = parameters_of(scope.node)
        scope.kinds = dict.fromkeys(scope.bound, OWN)
        for _ in range(_ROUNDS):
            before = dict(scope.kinds), scope.iterators, scope.sets
            for name, every in scope.bound.items():
                kind = min(self._bound(b, scope) for b in every)
                for filling in scope.fills.get(name, ()) if kind == OWN else ():
                    kind = min(kind, max(NEW, self.kind(filling, scope)))
                scope.kinds[name] = ANY if name in given else kind
            values = [(name, b.value) for name, every in scope.bound.items() for b in every]
            known = [(name, value) for name, value in values if value is not None]
            scope.iterators |= {n for n, v in known if self.is_iterator(v, scope)}
            scope.sets |= {n for n, v in known if self.is_set(v, scope)}
            if before == (scope.kinds, scope.iterators, scope.sets):
                return
        scope.kinds = dict.fromkeys(scope.bound, ANY)
        scope.iterators = scope.sets = frozenset(scope.bound)

    def _bound(self, bound: Bound, scope: FunctionScope) -> int:
        if bound.number:
            return OWN
        return ANY if bound.value is None else self.kind(bound.value, scope)

    def kind(self, node: ast.expr, scope: FunctionScope) -> int:
        """Return ANY, NEW or OWN."""
        match node:
            case ast.Constant() | ast.Compare():
                return OWN
            case ast.Name(id=name):
                # Where a name is bound outside of the function, it was there before the call.
                held = scope.find(name)
                return held.kinds.get(name, ANY) if held in (scope, scope.function) else ANY
            case ast.UnaryOp(operand=part):
                return ANY if self.own_arithmetic else max(NEW, self.kind(part, scope))
            case ast.BinOp(left=left, right=right):
                parts = min(self.kind(left, scope), self.kind(right, scope))
                return ANY if self.own_arithmetic else max(NEW, parts)
            case ast.BoolOp(values=values):
                return min(self.kind(v, scope) for v in values)
            case ast.IfExp(body=body, orelse=orelse):
                return min(self.kind(body, scope), self.kind(orelse, scope))
            case ast.NamedExpr(value=value):
                return self.kind(value, scope)
            case ast.Tuple(elts=elts) | ast.List(elts=elts) | ast.Set(elts=elts):
                return max(NEW, min((self.kind(e, scope) for e in elts), default=OWN))
            case ast.Dict(keys=keys, values=values):
                parts = [*(ANY if k is None else OWN for k in keys)]
                parts += [self.kind(v, scope) for v in values]
                return max(NEW, min(parts, default=OWN))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.JoinedStr() | ast.Lambda():
                return NEW
            case ast.Subscript(value=value, slice=index):
                kind = self.kind(value, scope)
                return OWN if kind == OWN and not isinstance(index, ast.Starred) else ANY
            case ast.Attribute(attr="shape" | "ndim" | "size" | "dtype" as attr):
                return ANY if attr in self.members else OWN
            case ast.Call():
                return self._call(node, scope)
            case _:
                return ANY

    def _call(self, node: ast.Call, scope: FunctionScope) -> int:
        dotted = self.library(node.func, scope)
        if dotted is not None:
            if dotted.startswith(grammar.NEW_ARRAYS):
                return OWN
            if dotted in ("dataclasses.replace", "copy.copy"):
                return NEW
            name = dotted.removeprefix("numpy.")
            if name in ("zeros", "ones", "arange", "linspace", "eye", "identity"):
                return OWN
            if name in ("array", "full", "zeros_like", "ones_like"):
                given = (*node.args, *(k.value for k in node.keywords))
                return min(self.kind(a, scope) for a in given) if given else ANY
            return ANY
        match node.func:
            case ast.Name(id="len" | "int" | "float" | "bool" | "complex" | "range" as name):
                return OWN if self.builtin(name, scope) else self.makes(node, scope)
            case ast.Name(id="list" | "dict" | "tuple" | "set" | "sorted" as name):
                return NEW if self.builtin(name, scope) else self.makes(node, scope)
            case ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at"))):
                return ANY if "at" in self.members else OWN
            case ast.Attribute(attr="_replace"):
                return ANY if "_replace" in self.members else NEW
            case _:
                return self.makes(node, scope)

    def is_iterator(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether an expression gives an iterator, or a view of a dictionary's keys or items."""
        match node:
            case ast.GeneratorExp():
                return True
            case ast.Name(id=name):
                held = scope.find(name) if scope else None
                return held is not None and name in held.iterators
            case ast.Call(func=ast.Name(id=name)) if name in grammar.ITERATORS:
                return self.builtin(name, scope)
            case ast.Call(func=ast.Attribute(attr="keys" | "items"), args=[]):
                return True
            case ast.Call(func=func):
                return (self.library(func, scope) or "").startswith("itertools.")
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_iterator(body, scope) or self.is_iterator(orelse, scope)
            case ast.BoolOp(values=values):
                return any(self.is_iterator(v, scope) for v in values)
            case ast.NamedExpr(value=value):
                return self.is_iterator(value, scope)
            case _:
                return False

    def is_set(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether an expression gives a set, whose order is another in each process."""
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Name(id=name):
                held = scope.find(name) if scope else None
                return name in (self.global_sets if held is None else held.sets)
            case ast.Call(func=ast.Name(id="set" | "frozenset" as name)):
                return self.builtin(name, scope)
            case ast.Call(func=ast.Attribute(attr=attr, value=value)) if attr in _SET_METHODS:
                return attr != "copy" or self.is_set(value, scope)
            case ast.BinOp(left=left, right=right, op=op) if isinstance(op, _SET_OPERATORS):
                sides = left, right
                return any(self.is_set(s, scope) or self.is_iterator(s, scope) for s in sides)
            case ast.IfExp(body=body, orelse=orelse):
                return self.is_set(body, scope) or self.is_set(orelse, scope)
            case ast.BoolOp(values=values):
                return any(self.is_set(v, scope) for v in values)
            case ast.NamedExpr(value=value):
                return self.is_set(value, scope)
            case _:
                return False


_SET_METHODS = ("union", "intersection", "difference", "symmetric_difference", "copy")
