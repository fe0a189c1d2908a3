"""What an expression gives, from the text alone: one recursive function over what names hold."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import replace

from autograder.source import grammar
from autograder.source.cells_read import Statement
from autograder.source.jit_options import static_parameters
from autograder.source.known_values import (
    ANY,
    CALLER,
    NEW,
    NOTHING,
    NUMBER,
    OWN,
    UNKNOWN,
    UNSET,
    Function,
    OwnClass,
    Scope,
    Value,
    ValueKind,
    items,
    join,
    open_scope,
)  # fmt: skip
from autograder.source.scopes import COMPREHENSIONS, parameters_of, within

_ROUNDS = 12
"""In which the values of a scope's names must become steady; what is not steady then is unknown."""
In = Scope | None
"""The scope that something stands in; None at the top."""


class Evaluator:
    """Tells what expressions give, given what the notebook's names hold.

    Attributes:
        names: what each name at the top holds.
        classes: own classes, by name.
        members: of all own classes, which may mean something else by a library's word.
        class_names: names that the class whose body is checked binds in it.
        entries: the functions that the caller calls.
    """

    def __init__(self, statements: Iterable[Statement], entries: Iterable[str]) -> None:
        # A name that the notebook binds is not Python's own, though its value is not known yet.
        self.names = {name: UNKNOWN for s in statements for name in s.binds}
        self.classes: dict[str, OwnClass] = {}
        self.members: frozenset[str] = frozenset()
        self.class_names: frozenset[str] = frozenset()
        self.entries = frozenset(entries)
        self._scopes: dict[ast.AST, Scope] = {}
        self._returns: dict[ast.AST, Value] = {}
        self._methods: dict[ast.AST, OwnClass] = {}

    def enter_class(self, own: OwnClass) -> None:
        """Make an own class known; its name is bound where its definition stands."""
        self.classes[own.name] = own
        self.members |= own.members
        self._methods |= dict.fromkeys(own.methods, own)

    # --- scopes ----------------------------------------------------------------------------------

    def scope_of(self, node: ast.AST, outer: In) -> Scope:
        """Return the scope of a function, lambda or comprehension, with what its names hold."""
        if node in self._scopes:
            return self._scopes[node]
        found = open_scope(node, outer)
        if isinstance(node, COMPREHENSIONS):
            first = node.generators[0]
            for target, item in items(first.target, first.iter):
                found.bind(target, self._given(item, outer))
        found.values = dict.fromkeys(parameters_of(node), UNKNOWN)
        if isinstance(node, ast.FunctionDef):
            self._give_parameters(node, found)
        self._settle(found)
        if outer is None or outer.is_settled:
            self._scopes[node] = found
        return found

    def _give_parameters(self, node: ast.FunctionDef, scope: Scope) -> None:
        own, names = self._methods.get(node), parameters_of(node)
        decorators = [self.value(d, scope.outer).dotted for d in node.decorator_list]
        known = [
            static_parameters(d, node, self.library_of(scope.outer)) for d in node.decorator_list
        ]
        # Another decorator below jit might give it anything.
        scope.is_rebuilt = known[-1:] not in ([], [None]) or self._is_only_looped(node, scope.outer)
        if node.name in self.entries and scope.outer is None and own is None:
            scope.values = dict.fromkeys(names, Value(part_of=CALLER))
        if scope.is_rebuilt:
            a = node.args
            by_place = [*a.posonlyargs, *a.args]
            defaults = by_place[len(by_place) - len(a.defaults) :] + a.kwonlyargs
            given = set(names) - {x.arg for x in defaults}
            scope.values |= dict.fromkeys(given, Value(OWN))
        scope.values |= {name: Value(is_plain=True) for some in known for name in some or ()}
        if own is not None and names and "builtins.staticmethod" not in decorators:
            scope.me = names[0]
            may_change = node.name in own.changing | grammar.INITIALIZERS or scope.is_rebuilt
            me = Value(NEW if may_change else ANY, is_object=True, own=own)
            is_class = "builtins.classmethod" in decorators
            scope.values[scope.me] = Value(is_class=True, own=own) if is_class else me

    def _is_only_looped(self, node: ast.FunctionDef, outer: In) -> bool:
        """Whether a function is given to JAX's loops only, which rebuild what they give it."""
        if outer is None or node.decorator_list or not outer.is_settled:
            return False
        every = list(ast.walk(outer.node))
        read = [x for x in every if isinstance(x, ast.Name) and x.id == node.name]
        calls = [x for x in every if isinstance(x, ast.Call)]
        loops = [x for x in calls if self.value(x.func, outer).dotted in grammar.LOOPS]
        return len(read) == sum(arg in read for x in loops for arg in x.args) > 0

    def _settle(self, scope: Scope) -> None:
        """Find what a scope's names hold."""
        given = scope.values
        scope.values = dict.fromkeys(scope.bound, UNSET) | given
        for _ in range(_ROUNDS):
            before = dict(scope.values), scope.filled
            for name, every in scope.bound.items():
                values = [given[name]] if name in given else []
                found = join([*values, *(self._given(v, scope) for v in every)])
                is_filled = scope.filled < OWN and not found.is_jax
                scope.values[name] = (
                    replace(found, fresh=min(found.fresh, NEW)) if is_filled else found
                )
            scope.filled = min((self._given(v, scope).fresh for v in scope.fills), default=OWN)
            if before == (scope.values, scope.filled):
                break
        else:
            unknown = Value(may_be=ValueKind.ITERATOR | ValueKind.SET | ValueKind.ARRAY)
            scope.values = dict.fromkeys(scope.values, unknown)
        scope.is_settled = True

    # --- values ----------------------------------------------------------------------------------

    def _given(self, given: ast.expr | Value, scope: In) -> Value:
        return given if isinstance(given, Value) else self.value(given, scope)

    def value(self, node: ast.expr, scope: In) -> Value:
        """Return what is known of what an expression gives."""
        match node:
            case ast.Constant():
                return NUMBER
            case ast.Name(id=name):
                return self._named(name, scope)
            case ast.Attribute(value=value, attr=attr):
                return self._member(self.value(value, scope), attr)
            case ast.Call():
                return self._result(node, scope)
            case ast.Subscript(value=value, slice=index):
                part = self.value(value, scope).part()
                return replace(part, is_plain=part.is_plain and self.value(index, scope).is_plain)
            case ast.BinOp(left=left, right=right):
                return self._computed([left, right], scope)
            case ast.UnaryOp(operand=operand, op=op):
                return NUMBER if isinstance(op, ast.Not) else self._computed([operand], scope)
            case ast.Compare(left=left, comparators=others):
                parts = [left, *others]
                is_text = any(isinstance(getattr(x, "value", None), str) for x in parts)
                is_plain = is_text or all(self.value(x, scope).is_plain for x in parts)
                return Value(OWN, is_plain=is_plain, is_jax=True)
            case ast.BoolOp(values=parts):
                return join([self.value(v, scope) for v in parts])
            case ast.IfExp(body=body, orelse=orelse):
                return join([self.value(body, scope), self.value(orelse, scope)])
            case ast.NamedExpr(value=value):
                return self.value(value, scope)
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
                whole = join([self.value(x, scope) for x in parts])
                is_plain = isinstance(node, ast.Tuple) and whole.is_plain
                is_spread = isinstance(node, ast.Dict) and None in node.keys
                fresh = NEW if is_spread else max(NEW, whole.fresh)
                return Value(fresh, whole.may_be & ValueKind.ARRAY, is_plain)
            case ast.GeneratorExp():
                return Value(NEW, ValueKind.ITERATOR)
            case ast.Set():
                return Value(NEW, ValueKind.SET)
            case ast.ListComp() | ast.DictComp():
                return Value(NEW)
            case ast.Lambda():
                return Value(NEW, function=node, outer=scope)
            case ast.JoinedStr():
                return NUMBER  # its own values are looked at where it stands
            case _:
                return UNKNOWN

    def _named(self, name: str, scope: In) -> Value:
        held = scope.find(name) if scope else None
        if held is None or scope is None:
            is_hidden = scope is None and name in self.class_names
            return UNKNOWN if is_hidden else self.names.get(name, Value(dotted=f"builtins.{name}"))
        is_outside = held.function is not scope.function
        value = held.values.get(name, UNKNOWN) if held.is_settled or not is_outside else UNKNOWN
        # What is bound outside of the function was there before the call.
        return replace(value, fresh=ANY) if is_outside else value

    def _computed(self, operands: list[ast.expr], scope: In) -> Value:
        values = [self.value(x, scope) for x in operands]
        methods = (method for own in self.classes.values() for method in own.methods)
        if any(method.name in grammar.ARITHMETIC for method in methods):
            return UNKNOWN
        is_plain = all(v.is_plain for v in values)
        is_jax = is_plain or any(v.is_jax and not v.is_plain for v in values)
        is_traced = scope is not None and scope.function.is_rebuilt
        is_array = any(
            ValueKind.ARRAY in v.may_be or (v.fresh == ANY and not is_traced) for v in values
        )
        may_be = ValueKind.ARRAY if is_array and not is_jax else NOTHING
        return Value(max(NEW, min(v.fresh for v in values)), may_be, is_plain, is_jax)

    def _member(self, whole: Value, attr: str) -> Value:
        if whole.dotted:
            return Value(dotted=f"{whole.dotted}.{attr}")
        if attr in grammar.PLAIN - self.members:
            return NUMBER
        if attr == "__class__" and whole.is_object:
            return Value(is_class=True, own=whole.own)
        is_jax = whole.is_jax and attr in grammar.DATA - self.members
        return Value(ANY, whole.may_be & ValueKind.ARRAY, is_jax=is_jax, part_of=whole.part_of)

    # --- calls -----------------------------------------------------------------------------------

    def _result(self, node: ast.Call, scope: In) -> Value:
        func = node.func
        # It is looked at once, so that a chain of calls takes no longer than it is.
        whole = self.value(func.value, scope) if isinstance(func, ast.Attribute) else UNKNOWN
        is_member = isinstance(func, ast.Attribute)
        callee = self._member(whole, func.attr) if is_member else self.value(func, scope)
        if callee.dotted:
            return self._library_result(node, callee.dotted, scope)
        if callee.is_class:
            return Value(NEW, is_object=True, own=callee.own)
        if callee.function is not None:
            return self.returned(callee.function, callee.outer)
        match func:
            case ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at"))):
                return UNKNOWN if "at" in self.members else Value(OWN, is_jax=True)
            case ast.Attribute(attr="_replace"):
                return UNKNOWN if "_replace" in self.members else Value(NEW)
            case ast.Attribute(attr="__new__"):
                return Value(NEW, is_object=True, own=whole.own)
            case ast.Attribute(attr="keys" | "items"):
                return Value(may_be=ValueKind.ITERATOR)
            case _:
                return Value(ANY, whole.may_be & ValueKind.ARRAY, part_of=whole.part_of)

    def _library_result(self, node: ast.Call, dotted: str, scope: In) -> Value:
        module, _, name = dotted.rpartition(".")
        given = [self.value(a, scope) for a in (*node.args, *(k.value for k in node.keywords))]
        first = given[0] if given else UNKNOWN
        held = ValueKind.ARRAY if any(ValueKind.ARRAY in v.may_be for v in given) else NOTHING
        if dotted == "builtins.enumerate" and not node.args:
            return NUMBER
        if dotted in grammar.ITERATOR_RESULTS or module == "itertools":
            return Value(may_be=ValueKind.ITERATOR)
        if dotted in grammar.NUMBER_RESULTS:
            return NUMBER
        if dotted in grammar.NEW_RESULTS:
            is_object = first.is_object or (dotted == "builtins.object.__new__" and first.is_class)
            return Value(NEW, is_object=is_object, own=first.own)
        if dotted == "builtins.type" and first.is_object:
            return Value(is_class=True, own=first.own)
        if dotted.startswith(grammar.NEW_ARRAYS) and dotted != "math.prod":
            return Value(OWN, is_jax=True, part_of=dotted)
        if module == "numpy":
            fresh = OWN if name in grammar.OWN_RESULTS else ANY
            if name in grammar.OWN_IF_GIVEN:
                fresh = min((v.fresh for v in given), default=ANY)
            return Value(fresh, ValueKind.ARRAY)
        return Value(ANY, held, part_of=dotted)

    def returned(self, node: Function, outer: In) -> Value:
        """Return how fresh a function's result is, and whether it may be an array of NumPy."""
        if node not in self._returns:
            self._returns[node] = UNKNOWN  # while it is being found: a recursion
            body = [ast.Return(node.body)] if isinstance(node, ast.Lambda) else node.body
            if all(self.keeps_result(d, outer) for d in getattr(node, "decorator_list", ())):
                scope = self.scope_of(node, outer)
                given = [x.value for x in within(*body) if isinstance(x, ast.Return) and x.value]
                found = join([NUMBER, *(self.value(v, scope) for v in given)])
                self._returns[node] = Value(found.fresh, found.may_be & ValueKind.ARRAY)
        return self._returns[node]

    def keeps_result(self, node: ast.expr, scope: In) -> bool:
        """Whether a decorator is a library's, given nothing but options."""
        dotted, args = self.read_decorator(node, scope)
        if dotted == "functools.wraps":
            return True
        others = {"functools.partial", "jax.tree_util.Partial"}
        return not args and dotted in (grammar.TRANSFORMS - others) | grammar.DESCRIPTORS

    def read_decorator(self, node: ast.expr, scope: In) -> tuple[str, list[ast.expr]]:
        """Return the dotted name of a decorator, and what it is given: for `partial`, its own."""
        call = node if isinstance(node, ast.Call) else None
        dotted, args = self.value(call.func if call else node, scope).dotted, call and call.args
        if dotted == "functools.partial" and args:
            return self.value(args[0], scope).dotted, args[1:]
        return dotted, args or []

    def library_of(self, scope: In) -> Callable[[ast.expr], str | None]:
        """Return what tells the dotted name of an expression in a scope."""
        return lambda node: self.value(node, scope).dotted or None
