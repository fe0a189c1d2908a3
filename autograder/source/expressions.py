"""Expressions of computation: names, attributes and calls whose meaning is known."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import NoReturn

from autograder.source import grammar
from autograder.source.cells_read import CHANGING, DEFINING, Place, Statement
from autograder.source.freshness import ANY, NEW, OWN, Freshness, FunctionScope, open_scope
from autograder.source.jit_options import PURE_OPTIONS, static_parameters
from autograder.source.plain_classes import PlainClass
from autograder.source.symbol_tables import COMPREHENSIONS, SymbolTables, parameters_of, within

ITERATOR, SET, JIT, OPERAND = "iterator", "set", "jit", "operand"
"""What an expression may give beside plain values, where it stands. An operand is only computed
with, never called."""
_SET_OPERATORS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)


class NotComputation(Exception):
    """The first thing that is not proved: where, and why."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


def _is_attribute(node: ast.expr) -> bool:
    """Whether an attribute's name is written out, and is no special one."""
    if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
        return False
    return not node.value.startswith("__")


class Expressions:
    """Checks expressions, given what the notebook's names stand for.

    Attributes:
        definitions: the value or definition that each name of the notebook is bound to.
        dotted: the dotted name of those that stand for something of a library.
        classes: own classes, by name; `members` are the members of all of them.
        class_names: names that the class whose body is checked binds in it.
        changed: where the text changes the object of a name.
        makes_jits: whether a function makes a jitted function, or compiles one, when it runs.
    """

    def __init__(self, statements: Iterable[Statement], changed: dict[str, Place]) -> None:
        self.definitions: dict[str, ast.AST] = {}
        self.dotted: dict[str, str] = {}
        self.classes: dict[str, PlainClass] = {}
        self.members: frozenset[str] = frozenset()
        self.methods: set[ast.AST] = set()
        self.class_names: frozenset[str] = frozenset()
        self.changed = changed
        self.makes_jits = False
        self.in_message = 0
        self.freshness = Freshness(self.library, self.is_builtin, self.made)
        self._scopes: dict[ast.AST, FunctionScope] = {}
        self._returns: dict[ast.AST, int] = {}
        self._tables: dict[ast.AST, SymbolTables] = {}
        for statement in statements:
            if statement.tables is not None:
                for x in ast.walk(statement.node):
                    self._tables[x] = statement.tables

    # --- what names stand for --------------------------------------------------------------------

    def scope_of(self, node: ast.AST, outer: FunctionScope | None) -> FunctionScope:
        """Return the scope of a function, lambda or comprehension."""
        found = self._scopes.get(node)
        if found is None:
            found = self._scopes[node] = open_scope(node, self._tables[node], outer)
            self._give_roles(found)
            self.freshness.settle(found)
        return found

    def _give_roles(self, scope: FunctionScope) -> None:
        node = scope.node
        if not isinstance(node, ast.FunctionDef):
            return
        parameters = parameters_of(node)
        decorators = {d.id for d in node.decorator_list if isinstance(d, ast.Name)}
        if node in self.methods and parameters and "staticmethod" not in decorators:
            scope.me = parameters[0]
            if "classmethod" in decorators:
                scope.maker = parameters[0]
            elif node.name in ("__init__", "__post_init__"):
                scope.new_self = parameters[0]
        static = [
            static_parameters(d, node, lambda expression: self.library(expression, scope.outer))
            for d in node.decorator_list
        ]
        scope.static = frozenset(name for names in static for name in names or ())

    def library(self, node: ast.expr, scope: FunctionScope | None) -> str | None:
        """Return the dotted name of what an expression stands for, if that is a library's."""
        names: list[str] = []
        while isinstance(node, ast.Attribute):
            names.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        held = scope.find(node.id) if scope else None
        if held is None:
            is_hidden = scope is None and node.id in self.class_names
            dotted = None if is_hidden else self.dotted.get(node.id)
        else:
            bound = held.bound.get(node.id, [])
            is_one = len(bound) == 1 and not self._is_parameter(node.id, held)
            dotted = bound[0].dotted if is_one else None
        return ".".join((dotted, *reversed(names))) if dotted else None

    def _is_parameter(self, name: str, scope: FunctionScope) -> bool:
        return name in parameters_of(scope.node)

    def is_builtin(self, name: str, scope: FunctionScope | None) -> bool:
        """Whether a name is Python's own here."""
        held = scope.find(name) if scope else None
        if held is not None or (scope is None and name in self.class_names):
            return False
        return name not in self.definitions and name in grammar.BUILTINS

    def own_class(self, node: ast.expr, scope: FunctionScope | None) -> PlainClass | None:
        """Return the own class that an expression names."""
        if isinstance(node, ast.Name) and (scope is None or scope.find(node.id) is None):
            return self.classes.get(node.id) if node.id in self.definitions else None
        return None

    def is_me(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether an expression is `self`, or the class, in a method of an own class."""
        held = scope.find(node.id) if scope and isinstance(node, ast.Name) else None
        if held is None or not isinstance(node, ast.Name):
            return False
        return held.me == node.id and node.id not in held.bound

    def _is_class(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """`C`, `cls` in a class method, `type(self)` and `self.__class__`."""
        match node:
            case ast.Name(id=name):
                held = scope.find(name) if scope else None
                is_maker = held is not None and held.maker == name and name not in held.bound
                return is_maker or self.own_class(node, scope) is not None
            case ast.Call(func=ast.Name(id="type"), args=[me], keywords=[]):
                return self.is_builtin("type", scope) and self._is_object(me, scope)
            case ast.Attribute(value=me, attr="__class__"):
                return self._is_object(me, scope)
            case _:
                return False

    def _is_object(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        held = scope.find(node.id) if scope and isinstance(node, ast.Name) else None
        return held is not None and self.is_me(node, scope) and not held.maker

    def made(self, call: ast.Call, scope: FunctionScope) -> int:
        """Return the kind of what a call of own code gives."""
        func = call.func
        if self._is_class(func, scope):
            return NEW
        if isinstance(func, ast.Attribute):
            return NEW if func.attr == "__new__" else ANY
        if not isinstance(func, ast.Name):
            return ANY
        held = scope.find(func.id)
        if held is None:
            return self._returned(self.definitions.get(func.id), None)
        bound = held.bound.get(func.id, [])
        is_one = len(bound) == 1 and not self._is_parameter(func.id, held)
        return self._returned(bound[0].function, held) if is_one else ANY

    def _returned(self, node: ast.AST | None, outer: FunctionScope | None) -> int:
        if not isinstance(node, ast.FunctionDef):
            return ANY
        if node not in self._returns:
            self._returns[node] = ANY  # while it is being found: a recursion
            if all(self._wrapper(d, outer) for d in node.decorator_list):
                scope = self.scope_of(node, outer)
                given = [x.value for part in node.body for x in within(part)
                         if isinstance(x, ast.Return) and x.value is not None]  # fmt: skip
                self._returns[node] = min(
                    (self.freshness.kind(v, scope) for v in given), default=OWN
                )
        return self._returns[node]

    def _wrapper(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether a decorator is a library's, given nothing but options."""
        if isinstance(node, ast.Call):
            dotted, args = self.library(node.func, scope), node.args
            if dotted == "functools.wraps":
                return True
            if dotted == "functools.partial" and args:
                dotted, args = self.library(args[0], scope), args[1:]
            if args:
                return False
        else:
            dotted = self.library(node, scope)
        return dotted in grammar.TRANSFORMS - {"functools.partial", "jax.tree_util.Partial"}

    # --- expressions -----------------------------------------------------------------------------

    def function(self, node: ast.AST, outer: FunctionScope | None, method: str = "") -> None:
        """Check what the definition of a function evaluates; its body is checked later."""
        raise NotImplementedError

    def target(self, node: ast.expr, scope: FunctionScope | None) -> None:
        """Check what an assignment binds or changes."""
        raise NotImplementedError

    def expression(
        self, node: ast.expr, scope: FunctionScope | None, takes: Iterable[str] = ()
    ) -> None:
        """Check one expression.

        Args:
            node: the expression.
            scope: the scope that it stands in; None at the top.
            takes: whether it may give an iterator, a set or jit itself.

        Raises:
            NotComputation: it is not proved.
        """
        if ITERATOR not in takes and self.freshness.is_iterator(node, scope):
            self._no(node, "An iterator is kept or passed on: whoever reads it changes it.")
        if SET not in takes and self.freshness.is_set(node, scope):
            self._no(node, "The order of a set differs between processes: sort it.")
        match node:
            case ast.Constant():
                pass
            case ast.Name():
                self._name(node, scope, takes)
            case ast.Attribute():
                self._attribute(node, scope, takes)
            case ast.Call():
                self._call(node, scope)
            case ast.Lambda():
                self.function(node, scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node, scope)
            case ast.Starred(value=value):
                self.expression(value, scope, (ITERATOR,))
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts):
                self._each(parts, scope)
            case ast.Dict(keys=keys, values=values):
                self._each([k for k in keys if k is not None], scope)
                self._each(values, scope)
            case ast.Subscript(value=value, slice=index):
                self._each((value, index), scope, (OPERAND,))
            case ast.Slice(lower=lower, upper=upper, step=step):
                self._each([x for x in (lower, upper, step) if x is not None], scope)
            case ast.BinOp(left=left, right=right, op=op):
                is_number = isinstance(left, ast.Constant) and not isinstance(left.value, str)
                if isinstance(op, ast.Mod) and not is_number:
                    self._text(right, scope)  # the left may be a text
                may = (SET, ITERATOR) if isinstance(op, _SET_OPERATORS) else ()
                self._each((left, right), scope, (*may, OPERAND))
            case ast.UnaryOp(operand=operand):
                may = (SET,) if isinstance(node.op, ast.Not) else ()
                self.expression(operand, scope, (*may, OPERAND))
            case ast.BoolOp(values=values):
                self._each(values, scope, set(takes) - {JIT})
            case ast.IfExp(test=test, body=body, orelse=orelse):
                self.expression(test, scope, (SET,))
                self._each((body, orelse), scope, set(takes) - {JIT})
            case ast.Compare():
                self._compare(node, scope)
            case ast.JoinedStr(values=values):
                self._each(values, scope)
            case ast.FormattedValue(value=value, format_spec=spec):
                self._text(value, scope)
                self._each([value, *([spec] if spec else [])], scope)
            case ast.NamedExpr(value=value) if scope is not None:
                self.expression(value, scope, set(takes) - {JIT})
            case _:
                self._no(node, f"`{type(node).__name__.lower()}` is not proved.")

    def _each(
        self, nodes: Iterable[ast.expr], scope: FunctionScope | None, takes: Iterable[str] = ()
    ) -> None:
        for node in nodes:
            self.expression(node, scope, takes)

    def _no(self, node: ast.AST, reason: str) -> NoReturn:
        raise NotComputation(node, reason)

    def _name(self, node: ast.Name, scope: FunctionScope | None, takes: Iterable[str]) -> None:
        name = node.id
        held = scope.find(name) if scope else None
        if held is not None and scope is not None:
            if held.function is not scope.function and name in held.iterators:
                self._no(node, f"The iterator `{name}` outlives its function.")
            if dotted := self.library(node, scope):
                self._value(node, dotted, takes)
        elif scope is None and name in self.class_names:
            self._no(node, f"`{name}` means something else in this class.")
        elif name in self.definitions:
            if name in self.changed:
                self._no(node, f"`{name}` is changed on line {self.changed[name].line}.")
            if dotted := self.dotted.get(name):
                self._value(node, dotted, takes)
        elif name not in grammar.BUILTINS:
            self._no(node, f"`{name}` is not known to compute only.")
        elif name.islower() and name not in grammar.AS_VALUES:
            self._no(node, f"`{name}` is passed on.")

    def _value(self, node: ast.expr, dotted: str, takes: Iterable[str]) -> None:
        """A library's name that is not called here: kept, passed on, or a constant."""
        if not grammar.is_known(dotted) or (dotted in grammar.MODULES and dotted != "jax"):
            self._no(node, f"`{dotted}` is not known to compute only.")
        if not grammar.is_callable_value(dotted) and not (JIT in takes and dotted == "jax.jit"):
            self._no(node, f"`{dotted}` is passed on, and may change what it is given.")

    def annotation(self, node: ast.expr, scope: FunctionScope | None) -> None:
        """Check an annotation: names of types, and what is put together from them."""
        for x in ast.walk(node):
            match x:
                case ast.Name(id=name):
                    is_local = scope is not None and scope.find(name) is not None
                    if not (is_local or name in self.definitions or name in grammar.BUILTINS):
                        self._no(x, f"`{name}` is not known to compute only.")
                case ast.Call() | ast.NamedExpr() | ast.Lambda() | ast.Await():
                    self._no(x, "An annotation computes something.")
                case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.DictComp():
                    self._no(x, "An annotation computes something.")
                case _:
                    pass

    def _comprehension(self, node: ast.expr, outer: FunctionScope | None) -> None:
        assert isinstance(node, COMPREHENSIONS)
        scope = self.scope_of(node, outer)
        for i, generator in enumerate(node.generators):
            if generator.is_async:
                self._no(node, "This comprehension waits for something.")
            self.expression(generator.iter, outer if i == 0 else scope, (ITERATOR,))
            self.target(generator.target, scope)
            self._each(generator.ifs, scope, (SET,))
        self._each([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt], scope)

    def _compare(self, node: ast.Compare, scope: FunctionScope | None) -> None:
        parts = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, parts, parts[1:], strict=False):
            known = [x for x in (left, right) if isinstance(x, ast.Constant)]
            is_identity = isinstance(op, (ast.Is, ast.IsNot))
            if is_identity and not any(x.value in (None, ...) for x in known):
                self._no(node, "Which object it is depends on more than its value.")
        self.expression(node.left, scope, (SET,))
        self._each(node.comparators, scope, (SET, ITERATOR))

    def _text(self, node: ast.expr, scope: FunctionScope | None) -> None:
        """What is written into a text: a traced array is written as something else."""
        if not self.in_message and not self._plain(node, scope):
            self._no(node, "The text of a value is another when it is traced.")

    def _plain(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether a value is the same, and is written in the same way, traced or not."""
        match node:
            case ast.Constant():
                return True
            case ast.Attribute(attr=attr):
                return attr in grammar.PLAIN and attr not in self.members
            case ast.Name(id=name):
                held = scope.find(name) if scope else None
                bound = held.bound.get(name, []) if held else []
                is_static = held is not None and name in held.static
                return all(b.number for b in bound) if bound else is_static
            case ast.BinOp(left=left, right=right):
                return self._plain(left, scope) and self._plain(right, scope)
            case ast.Tuple(elts=parts):
                return all(self._plain(p, scope) for p in parts)
            case ast.Subscript(value=value, slice=index):
                return self._plain(value, scope) and self._plain(index, scope)
            case ast.Call(func=ast.Name(id="len")):
                return self.is_builtin("len", scope)
            case ast.JoinedStr() | ast.FormattedValue():
                return True  # its own values are looked at where it stands
            case _:
                return False

    # --- attributes ------------------------------------------------------------------------------

    def _attribute(
        self, node: ast.Attribute, scope: FunctionScope | None, takes: Iterable[str]
    ) -> None:
        self._check_root(node, scope)
        if dotted := self.library(node, scope):
            self._value(node, dotted, takes)
        else:
            self.expression(node.value, scope) if not self._is_class(node.value, scope) else None
            is_field = OPERAND in takes and node.attr in self.members & grammar.METHODS
            if not is_field and not self._readable(node, scope):
                self._no(node, f"What `.{node.attr}` is, or does, is not known.")

    def _check_root(self, node: ast.expr, scope: FunctionScope | None) -> None:
        """What an expression starts at is not changed by other lines of the notebook."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.changed:
            return
        if scope is None or scope.find(node.id) is None:
            self._no(node, f"`{node.id}` is changed on line {self.changed[node.id].line}.")

    def _readable(self, node: ast.Attribute, scope: FunctionScope | None) -> bool:
        name, value = node.attr, node.value
        if name in grammar.FUNCTION_TEXT:
            return True
        if name.startswith("__"):
            return False
        own = self.own_class(value, scope)
        if own is not None:
            return name in own.shared
        if self._is_class(value, scope):
            return any(name in c.shared for c in self.classes.values())
        if name in self.members:
            is_mine = self.is_me(value, scope) or self._is_new(value, scope)
            risky = name in CHANGING | grammar.HIDING | grammar.METHODS or name.startswith("_")
            if is_mine or not risky:
                return True
        if name.startswith("_"):
            return False
        if name in grammar.DATA:
            return True
        dotted = self._origin(value, scope)
        if dotted.endswith((".finfo", ".iinfo")):
            return name in ("max", "min")
        risky = CHANGING | grammar.HIDING | grammar.METHODS
        is_optax = dotted.startswith("optax.") and name in ("init", "update")
        return is_optax or (dotted.startswith("plnkit.") and name not in risky)

    def _is_new(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether a name holds an object of an own class that was made here."""
        held = scope.find(node.id) if scope and isinstance(node, ast.Name) else None
        if held is None or not isinstance(node, ast.Name) or self._is_parameter(node.id, held):
            return False
        every = held.bound.get(node.id, [])
        return bool(every) and all(self._makes(b.value, held) for b in every)

    def _makes(self, node: ast.expr | None, scope: FunctionScope | None) -> bool:
        match node:
            case ast.Call(func=ast.Attribute(attr="__new__")):
                return True
            case ast.Call(func=func):
                is_copy = self.library(func, scope) == "copy.copy"
                return is_copy or self._is_class(func, scope)
            case _:
                return False

    def _origin(self, node: ast.expr, scope: FunctionScope | None) -> str:
        """Return the library's function whose result a value is part of: `load_oaks().Y`."""
        if isinstance(node, ast.Name) and (scope is None or scope.find(node.id) is None):
            found = self.definitions.get(node.id)
            node = found if isinstance(found, ast.Call) else node
        while isinstance(node, ast.Attribute):
            node = node.value
        dotted = self.library(node.func, scope) if isinstance(node, ast.Call) else None
        return dotted or ""

    def _is_static(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether a name holds what jit was given as it is."""
        held = scope.find(node.id) if scope and isinstance(node, ast.Name) else None
        if held is None or not isinstance(node, ast.Name):
            return False
        return node.id in held.static and node.id not in held.bound

    # --- calls -----------------------------------------------------------------------------------

    def arguments(
        self,
        call: ast.Call,
        scope: FunctionScope | None,
        takes: Iterable[str] = (),
        skip: int = 0,
    ) -> None:
        """Check the arguments of a call, but for the first `skip`."""
        for arg in call.args[skip:]:
            self.expression(arg, scope, (ITERATOR,) if isinstance(arg, ast.Starred) else takes)
        for keyword in call.keywords:
            self.expression(keyword.value, scope, takes)

    def _call(self, node: ast.Call, scope: FunctionScope | None) -> None:
        func = node.func
        self._check_root(func, scope)
        is_own = self._is_class(func, scope) or self._is_own_function(func, scope)
        for keyword in node.keywords:
            name = keyword.arg or ""
            if name.startswith("donate") or (not is_own and name in grammar.WRITING_KEYWORDS):
                self._no(node, f"`{name}=` lets a call change what it is given.")
        if dotted := self.library(func, scope):
            self._library_call(node, dotted, scope)
        elif isinstance(func, ast.Call) and self.is_partial_jit(func, scope):
            self.partial_jit(func, scope)
            self.arguments(node, scope)
        elif isinstance(func, ast.Name) and self.is_builtin(func.id, scope):
            self._builtin_call(node, func.id, scope)
        elif self._is_class(func, scope):
            self.arguments(node, scope)
        elif isinstance(func, ast.Attribute):
            self._method_call(node, func, scope)
        else:
            self.expression(func, scope)
            self.arguments(node, scope)

    def _is_own_function(self, func: ast.expr, scope: FunctionScope | None) -> bool:
        if not isinstance(func, ast.Name):
            return False
        held = scope.find(func.id) if scope else None
        if held is None:
            return isinstance(self.definitions.get(func.id), ast.FunctionDef)
        return any(b.function is not None for b in held.bound.get(func.id, []))

    def _library_call(self, node: ast.Call, dotted: str, scope: FunctionScope | None) -> None:
        if not grammar.is_known(dotted):
            self._no(node, f"`{dotted}` is not known to compute only.")
        top, _, name = dotted.rpartition(".")
        spreads = any(isinstance(a, ast.Starred) for a in node.args) or any(
            k.arg is None for k in node.keywords
        )
        if name.startswith("register"):
            self._no(node, "A class is registered again at each call.")
        if dotted == "jax.jit":
            self.jit(node, scope)
        if dotted == "jax.device_put" and (len(node.args) > 2 or spreads):
            self._no(node, "`jax.device_put` may give its argument away.")
        if dotted == "copy.copy" and not all(self._is_object(a, scope) for a in node.args):
            self._no(node, "What is copied is not an object of an own class.")
        hidden = [k for k in node.keywords if k.arg in ("compare", "hash", None)]
        if dotted == "dataclasses.field" and hidden:
            self._no(node, "jit would not see that this field differs.")
        if dotted.split(".")[0] in ("numpy", "scipy"):
            self._numpy_call(node, dotted, spreads, scope)
        takes = (ITERATOR,) if top == "itertools" or dotted in grammar.TAKES_ALL else ()
        takes = (OPERAND,) if top == "jax.numpy" and name not in grammar.CALLING else takes
        self.arguments(node, scope, takes)

    def is_partial_jit(self, node: ast.expr, scope: FunctionScope | None) -> bool:
        """Whether an expression is `partial(jax.jit, ...)`."""
        if not (isinstance(node, ast.Call) and len(node.args) == 1):
            return False
        is_partial = self.library(node.func, scope) == "functools.partial"
        return is_partial and self.library(node.args[0], scope) == "jax.jit"

    def partial_jit(self, node: ast.expr, scope: FunctionScope | None) -> None:
        """Check `partial(jax.jit, ...)` where it is given a function at once."""
        assert isinstance(node, ast.Call)
        self.jit(node, scope)
        self.arguments(node, scope, skip=1)

    def jit(self, node: ast.Call, scope: FunctionScope | None) -> None:
        """Check the options of jit: some write files, or give arguments away."""
        self.makes_jits |= scope is not None
        for keyword in node.keywords:
            if keyword.arg not in PURE_OPTIONS:
                self._no(node, f"What jit does with `{keyword.arg or '**'}=` is not known.")

    def _numpy_call(
        self, node: ast.Call, dotted: str, spreads: bool, scope: FunctionScope | None
    ) -> None:
        before_dtype, before_out = grammar.numpy_arguments(dotted)
        if spreads or len(node.args) > before_out:
            self._no(node, f"`{dotted}` may write to one of these arguments.")
        dtypes = node.args[before_dtype:]
        dtypes += [k.value for k in node.keywords if k.arg in ("dtype", "signature")]
        for given in dtypes:
            if not grammar.is_dtype(given, self.library(given, scope)):
                self._no(given, "NumPy's data type is not written out.")
        if dotted == "numpy.nan_to_num" and any(k.arg == "copy" for k in node.keywords):
            self._no(node, "`copy=` lets a call change what it is given.")

    def _builtin_call(self, node: ast.Call, name: str, scope: FunctionScope | None) -> None:
        args = node.args
        match name:
            case "isinstance":
                self._isinstance(node, scope)
            case "getattr" | "hasattr":
                match args:
                    case [value, ast.Constant(value=str(attr)), *default]:
                        read = ast.copy_location(ast.Attribute(value, attr, ast.Load()), node)
                        self._attribute(read, scope, ())
                        self._each(default, scope)
                        if name == "hasattr" and attr not in self.members:
                            self._no(node, "Whether it has this attribute tells if it is traced.")
                    case _:
                        self._no(node, "An attribute is read by a name that is computed.")
            case "setattr":
                if len(args) != 3 or not self.may_change(args[0], scope, attribute=True):
                    self._no(node, self.changes(args[0] if args else node))
                if not _is_attribute(args[1]):
                    self._no(node, "An attribute is assigned by a name that is computed.")
                self._each(args[1:], scope)
            case "next":
                if not args or not self.freshness.is_iterator(args[0], scope):
                    self._no(node, "`next` changes an iterator that is not of this call.")
                self.arguments(node, scope, (ITERATOR,))
            case "str" | "repr" | "format":
                for arg in args:
                    self._text(arg, scope)
                self.arguments(node, scope)
            case "sorted" | "min" | "max" if node.keywords:
                self.arguments(node, scope, (ITERATOR,))
            case "super" | "type" | "object" | "callable" | "property":
                self._no(node, f"`{name}(...)` is not proved.")
            case "staticmethod" | "classmethod":
                self._no(node, f"`{name}(...)` is not proved.")
            case _:
                takes = [ITERATOR] if name in grammar.TAKES_ALL else []
                takes += [SET] if name in grammar.ORDERLESS else []
                self.arguments(node, scope, takes)

    def _isinstance(self, node: ast.Call, scope: FunctionScope | None) -> None:
        if len(node.args) != 2 or node.keywords:
            self._no(node, "`isinstance` takes two arguments.")
        value, asked = node.args
        self.expression(value, scope)
        is_static = self._is_static(value, scope)
        for kind in asked.elts if isinstance(asked, ast.Tuple) else [asked]:
            is_own = self._is_class(kind, scope)
            is_array = self.library(kind, scope) == "jax.Array"
            is_plain = (
                isinstance(kind, ast.Name)
                and self.is_builtin(kind.id, scope)
                and kind.id
                in ("tuple", "list", "dict", "str", *(grammar.NUMBERS if is_static else ()))
            )
            if not (is_own or is_array or is_plain):
                self._no(kind, "The type of a value is another when it is traced.")

    def _method_call(
        self, node: ast.Call, func: ast.Attribute, scope: FunctionScope | None
    ) -> None:
        name, value = func.attr, func.value
        match value:
            case ast.Subscript(value=ast.Attribute(value=array, attr="at"), slice=index):
                if name in grammar.UPDATES and "at" not in self.members:
                    self._each((array, index), scope)
                    self.arguments(node, scope)
                    return
            case _:
                pass
        if name == "__new__":
            is_object = isinstance(value, ast.Name) and value.id == "object"
            is_made = (is_object and self.is_builtin("object", scope)) or self._is_class(
                value, scope
            )
            if len(node.args) == 1 and is_made and self._is_class(node.args[0], scope):
                return
        if name == "__setattr__" and len(node.args) == 3:
            is_object = isinstance(value, ast.Name) and self.is_builtin(value.id, scope)
            may = self.may_change(node.args[0], scope, attribute=True)
            if is_object and may and _is_attribute(node.args[1]):
                self._each(node.args[1:], scope)
                return
        if name in DEFINING and isinstance(value, ast.Name) and scope is not None:
            own = scope.function.bound.get(value.id, [])
            if scope.find(value.id) is scope.function and any(b.function for b in own):
                self.arguments(node, scope)
                return
        is_optax = name == "update" and len(node.args) > 1
        if name in CHANGING and not is_optax and not self._is_method(func, scope):
            if not self.may_change(value, scope):
                self._no(node, self.changes(value))
            self.expression(value, scope, () if name == "pop" else (SET,))
            self.arguments(node, scope, (ITERATOR, SET) if name in ("update", "extend") else ())
            return
        if self._is_method(func, scope):
            self.expression(value, scope) if not self._is_class(value, scope) else None
            self.arguments(node, scope)
            return
        if name not in grammar.METHODS:
            self._no(node, f"What `.{name}(...)` does is not known.")
        if name in ("lower", "compile"):
            self.makes_jits |= scope is not None
            if name == "compile" and (node.args or node.keywords):
                self._no(node, "What the compiler's options do is not known.")
        self._array_method(node, name, scope)
        takes = (SET,) if name in grammar.OF_SETS else ()
        self.expression(value, scope, takes)
        self.arguments(node, scope, (*takes, ITERATOR) if takes or name == "join" else ())

    def _array_method(self, node: ast.Call, name: str, scope: FunctionScope | None) -> None:
        """An array's method may write to its last argument; `astype` may make a clock's times."""
        most = grammar.METHOD_ARGUMENTS.get(name)
        if most is not None:
            spreads = any(isinstance(a, ast.Starred) for a in node.args)
            if spreads or len(node.args) > most or any(k.arg is None for k in node.keywords):
                self._no(node, f"`.{name}(...)` may write to one of these arguments.")
        given = [k.value for k in node.keywords if k.arg == "dtype"]
        given += node.args[:1] if name in ("astype", "view") else []
        for dtype in given:
            if not grammar.is_dtype(dtype, self.library(dtype, scope)):
                self._no(dtype, "The data type is not written out.")

    def _is_method(self, func: ast.Attribute, scope: FunctionScope | None) -> bool:
        """Whether a method is one of an own class."""
        return func.attr in self.members and self._readable(func, scope)

    # --- what may be changed ---------------------------------------------------------------------

    def may_change(
        self, node: ast.expr, scope: FunctionScope | None, attribute: bool = False
    ) -> bool:
        """Whether an expression names something that this call has made."""
        match node:
            case ast.Name(id=name) if scope is not None:
                held = scope.find(name)
                if held is None or held.function is not scope.function:
                    return False
                if attribute and held.new_self == name and name not in held.bound:
                    return True
                return held.kinds.get(name, ANY) >= NEW
            case ast.Subscript(value=value) if scope is not None:
                is_own = self.freshness.kind(node, scope) == OWN
                return is_own and not attribute and self.may_change(value, scope)
            case _:
                return False

    def changes(self, node: ast.AST) -> str:
        """Return the reason why a change is not proved."""
        while isinstance(node, (ast.Attribute, ast.Subscript)):
            node = node.value
        name = f"`{node.id}`" if isinstance(node, ast.Name) else "an object"
        return f"This changes {name}, which may have been there before the call."
