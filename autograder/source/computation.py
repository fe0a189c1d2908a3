"""The rules of computation: one for each kind of node; what has none is not proved."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import NoReturn

from autograder.source import grammar
from autograder.source.cells_read import Place, Statement, is_optax_update
from autograder.source.evaluation import Evaluator, In
from autograder.source.grammar import CHANGING, DEFINING
from autograder.source.jit_options import PURE_OPTIONS, static_parameters
from autograder.source.known_values import (
    CALLER,
    NOTHING,
    Function,
    Given,
    Scope,
    Value,
    ValueKind,
    imported,
    pairs,
)
from autograder.source.scopes import (
    COMPREHENSIONS,
    annotations_of,
    inside_of,
    parameters_of,
    position,
    root_of,
)  # fmt: skip

AS_WHOLE = ~NOTHING
"""A part may be what the whole may be."""
COMPUTES: dict[type[ast.AST], dict[str, ValueKind]] = {
    **{
        kind: {} for kind in (ast.Constant, ast.Pass, ast.Break, ast.Continue, ast.Expr, ast.Return)
    },
    **{kind: {} for kind in (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Slice, ast.JoinedStr)},
    **{kind: {} for kind in (ast.Delete, ast.If, ast.While, ast.Match, ast.match_case)},
    **{kind: {} for kind in (ast.MatchValue, ast.MatchSequence, ast.MatchMapping, ast.MatchStar)},
    **{kind: {} for kind in (ast.MatchAs, ast.MatchOr, ast.MatchSingleton)},
    ast.For: {"iter": ValueKind.ITERATOR},
    ast.comprehension: {"iter": ValueKind.ITERATOR},
    ast.Starred: {"value": ValueKind.ITERATOR},
    ast.Subscript: {"value": ValueKind.OPERAND, "slice": ValueKind.OPERAND},
    ast.UnaryOp: {"operand": ValueKind.OPERAND},
    ast.BoolOp: {"values": AS_WHOLE},
    ast.IfExp: {"body": AS_WHOLE, "orelse": AS_WHOLE},
    ast.NamedExpr: {"value": AS_WHOLE},
}
"""Nodes that compute if their parts do, and what a part may be, by its field."""


class NotComputation(Exception):
    """The first thing that is not proved: where, and why."""

    def __init__(self, node: ast.AST, reason: str) -> None:
        super().__init__(reason)
        self.node = node
        self.reason = reason


def no(node: ast.AST, reason: str) -> NoReturn:
    """Say that a node is no computation, and why."""
    raise NotComputation(node, reason)


class Rules(Evaluator):
    """Checks statements and expressions: the rule of a kind of node is the method of its name.

    Attributes:
        statement: the statement at the top that is being checked.
        changed: where the text changes the object of a name.
        definitions: what each name at the top is bound to.
        later: functions whose bodies are still to be checked.
        makes_jits: whether a function makes a jitted function, or compiles one, when it runs.
        called: names of methods that are called.
        has_static: whether jit is asked to take an argument as it is.
        mutated: where an object changes, beside those that are being made or that JAX rebuilds.
    """

    def __init__(
        self, statements: Iterable[Statement], entries: Iterable[str], changed: dict[str, Place]
    ) -> None:
        super().__init__(statements, entries)
        self.statement: Statement | None = None
        self.changed = changed
        self.definitions: dict[str, ast.AST] = {}
        self.later: list[tuple[Statement, Function, In]] = []
        self.makes_jits = self.has_static = self._in_message = False
        self.called: set[str] = set()
        self.mutated: ast.AST | None = None

    def check(self, node: object, scope: In, takes: ValueKind = NOTHING) -> None:
        """Check one node.

        Args:
            node: a statement, an expression, or a part of one; what is none computes.
            scope: the scope that it stands in; None at the top.
            takes: what it may be beside a plain value.

        Raises:
            NotComputation: it is not proved.
        """
        if not isinstance(node, _CHECKED):
            return
        if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
            if isinstance(node, (ast.Attribute, ast.Subscript)):
                self._stored(node, scope)
                return
        elif isinstance(node, ast.expr):
            may_be = self.value(node, scope).may_be & ~takes
            if ValueKind.ITERATOR in may_be:
                no(node, "An iterator is kept or passed on: whoever reads it changes it.")
            if ValueKind.SET in may_be:
                no(node, "The order of a set differs between processes.")
        name = type(node).__name__.lower()
        if rule := getattr(self, f"_{name}", None):
            rule(node, scope, takes)
            return
        if type(node) not in COMPUTES:
            where = " in a function" if isinstance(node, ast.stmt) else ""
            no(node, f"`{name}`{where} is not proved.")
        for field, part in ast.iter_fields(node):
            may_be = COMPUTES[type(node)].get(field, NOTHING)
            may_be = takes & ~(ValueKind.JIT | ValueKind.CALLED) if may_be is AS_WHOLE else may_be
            self.each(part if isinstance(part, list) else [part], scope, may_be)

    def each(self, nodes: Iterable[object], scope: In, takes: ValueKind = NOTHING) -> None:
        """Check some nodes."""
        for node in nodes:
            self.check(node, scope, takes)

    # --- names and attributes --------------------------------------------------------------------

    def _name(self, node: ast.Name, scope: In, takes: ValueKind) -> None:
        name, value = node.id, self.value(node, scope)
        held = scope.find(name) if scope else None
        if not isinstance(node.ctx, ast.Load):
            return  # its own: a function that declares a name global or nonlocal is not proved
        if name.startswith("__") or (scope is None and name in self.class_names):
            no(node, f"`{name}` means something else in a class.")
        if held is not None and scope is not None and held.function is not scope.function:
            self._closed_over(node, held, scope)
        if held is None:
            self.unchanged(name, node)
        if value.dotted:
            self._word(node, value.dotted, takes)

    def unchanged(self, name: str, node: ast.AST) -> None:
        """Check that no line of the notebook changes the object of a name."""
        if name in self.changed:
            no(node, f"`{name}` is changed on line {self.changed[name].line}.")

    def _word(self, node: ast.expr, dotted: str, takes: ValueKind) -> None:
        """A name of a library: called here, or kept, passed on, a constant."""
        shown = dotted.removeprefix("builtins.")
        is_module = dotted in grammar.MODULES and dotted != "jax"
        if not grammar.is_known(dotted) or (is_module and ValueKind.CALLED not in takes):
            no(node, f"`{shown}` is not known to compute only.")
        is_decorator = ValueKind.JIT in takes and dotted == "jax.jit"
        if not (ValueKind.CALLED in takes or is_decorator or grammar.is_callable_value(dotted)):
            no(node, f"`{shown}` is passed on, and may change what it is given.")

    def _closed_over(self, node: ast.Name, held: Scope, scope: Scope) -> None:
        """A name of a function around this one, which must not get another value later."""
        if self.value(node, held).may_be & (ValueKind.ITERATOR | ValueKind.SET):
            no(node, f"The iterator `{node.id}` outlives its function.")
        inner = scope.function
        while inner.outer is not None and inner.outer.function is not held.function:
            inner = inner.outer.function
        binders = held.binders.get(node.id, [])
        after = [b for b in binders if position(b) >= position(inner.node, of_end=True)]
        is_given = node.id in parameters_of(held.function.node)
        if after and (is_given or len(binders) > 1 or held.function.loops_around(after[0])):
            no(node, f"`{node.id}` changes after a function that reads it is made.")

    def _attribute(self, node: ast.Attribute, scope: In, takes: ValueKind) -> None:
        if dotted := self.value(node, scope).dotted:
            first: ast.AST = node
            while isinstance(first, ast.Attribute):
                first = first.value
            self.check(first, scope, ValueKind.CALLED)
            self._word(node, dotted, takes)
            return
        self._whole(node.value, scope)
        is_field = ValueKind.OPERAND in takes and node.attr in self.members & grammar.METHODS
        if not is_field and not self._readable(node, scope):
            no(node, f"What `.{node.attr}` is, or does, is not known.")
        if self._changes_self(node.attr):
            no(node, f"`.{node.attr}` changes its object, and is passed on.")

    def _whole(self, node: ast.expr, scope: In) -> None:
        """Check what a member is of, or what is called; `type(self)` is an own class."""
        if isinstance(node, ast.Name) or not self.value(node, scope).is_class:
            self.check(node, scope)

    def _changes_self(self, name: str) -> bool:
        return any(name in c.changing for c in self.classes.values())

    def _readable(self, node: ast.Attribute, scope: In) -> bool:
        name, whole = node.attr, self.value(node.value, scope)
        if name.startswith("__"):
            return name in grammar.PLAIN
        if whole.is_class:
            own = whole.own if isinstance(node.value, ast.Name) else None
            return any(name in c.shared for c in ([own] if own else self.classes.values()))
        if name in self.members and whole.is_object:
            return True
        is_library = name.startswith("_") or name in grammar.LIBRARY_WORDS
        if name in grammar.DATA or (name in self.members and not is_library):
            return True
        if whole.part_of.endswith((".finfo", ".iinfo")):
            return name in ("max", "min")
        is_optax = whole.part_of.startswith("optax.") and name in ("init", "update")
        return is_optax or (whole.part_of.startswith("plnkit.") and not is_library)

    # --- expressions -----------------------------------------------------------------------------

    def _lambda(self, node: Function, scope: In, takes: ValueKind = NOTHING) -> None:
        """Check what a function's definition evaluates, and keep its body for later."""
        self.each((*node.args.defaults, *node.args.kw_defaults), scope)
        for note in annotations_of(node):
            self.annotation(note, scope)
        assert self.statement is not None
        self.later.append((self.statement, node, scope))

    def _functiondef(self, node: ast.FunctionDef, scope: In, takes: ValueKind = NOTHING) -> None:
        self.decorators(node, scope)
        self._lambda(node, scope)

    def annotation(self, node: ast.expr, scope: In) -> None:
        """Check an annotation: names of types, and what is put together from them."""
        for x in ast.walk(node):
            dotted = self.value(x, scope).dotted if isinstance(x, ast.Name) else ""
            if dotted.startswith("builtins.") and not grammar.is_known(dotted):
                no(x, f"`{dotted.removeprefix('builtins.')}` is not known to compute only.")
            if isinstance(x, (ast.Call, ast.NamedExpr, ast.Lambda, ast.Await, *COMPREHENSIONS)):
                no(x, "An annotation computes something.")

    def _listcomp(self, node: ast.expr, outer: In, takes: ValueKind) -> None:
        assert isinstance(node, COMPREHENSIONS)
        if any(g.is_async for g in node.generators):
            no(node, "This comprehension waits for something.")
        self.check(node.generators[0].iter, outer, ValueKind.ITERATOR)
        self.each(inside_of(node), self.scope_of(node, outer))

    _dictcomp = _generatorexp = _listcomp

    def _binop(self, node: ast.BinOp, scope: In, takes: ValueKind) -> None:
        is_number = isinstance(node.left, ast.Constant) and not isinstance(node.left.value, str)
        if isinstance(node.op, ast.Mod) and not is_number:
            self._text(node.right, scope)  # the left may be a text
        self.each((node.left, node.right), scope, ValueKind.OPERAND)

    def _compare(self, node: ast.Compare, scope: In, takes: ValueKind) -> None:
        parts = [node.left, *node.comparators]
        for op, left, right in zip(node.ops, parts, parts[1:], strict=False):
            known = [x.value for x in (left, right) if isinstance(x, ast.Constant)]
            if isinstance(op, (ast.Is, ast.IsNot)) and not any(x in (None, ...) for x in known):
                no(node, "Which object it is depends on more than its value.")
        self.check(node.left, scope)
        self.each(node.comparators, scope, ValueKind.SET | ValueKind.ITERATOR)

    def _formattedvalue(self, node: ast.FormattedValue, scope: In, takes: ValueKind) -> None:
        self._text(node.value, scope)
        self.each((node.value, node.format_spec), scope)

    def _text(self, node: ast.expr, scope: In) -> None:
        """What is written into a text: a traced array is written as something else."""
        if not self._in_message and not self.value(node, scope).is_plain:
            no(node, "The text of a value is another when it is traced.")

    # --- statements ------------------------------------------------------------------------------

    def _import(
        self, node: ast.Import | ast.ImportFrom, scope: In, takes: ValueKind = NOTHING
    ) -> None:
        for a in node.names:
            whole = a.name if isinstance(node, ast.Import) else imported(a, node)
            if getattr(node, "level", 0) or not grammar.is_known(whole):
                no(node, f"`{whole}` is not known to compute only.")

    _importfrom = _import

    def _assign(self, node: ast.Assign | ast.AnnAssign, scope: In, takes: ValueKind) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        is_unpacked = all(isinstance(t, (ast.Tuple, ast.List)) for t in targets)
        kept = ValueKind.ITERATOR if is_unpacked else NOTHING
        if len(targets) == 1 and isinstance(targets[0], ast.Name):
            kept = ValueKind.ITERATOR | ValueKind.SET
        self.check(node.value, scope, kept)
        self.each(targets if node.value else (), scope)
        for target, value in (p for t in targets if node.value for p in pairs(t, node.value)):
            if isinstance(target, ast.Attribute):
                self.compared(target, target.attr, value, scope)

    _annassign = _assign

    def _augassign(self, node: ast.AugAssign, scope: In, takes: ValueKind) -> None:
        self.check(node.value, scope)
        match node.target:
            case ast.Name(id=name) as target:
                value = self.value(target, scope)
                if value.is_object or not (value.is_new or value.is_plain or value.is_jax):
                    no(node, f"`{name}` may be the caller's own array or list, changed in place.")
                self._array_changed(name, node, scope)
            case ast.Subscript(value=whole) as target:
                if not self.value(whole, scope).is_own:
                    no(node, _changes(whole))
                self.check(target, scope)
            case _:
                no(node, "An attribute is changed in place.")

    def _assert(self, node: ast.Assert, scope: In, takes: ValueKind) -> None:
        self.check(node.test, scope)
        self._message((node.msg,), scope)

    def _raise(self, node: ast.Raise, scope: In, takes: ValueKind) -> None:
        self._message((node.exc, node.cause), scope)

    def _message(self, nodes: Iterable[object], scope: In) -> None:
        self._in_message = True  # nothing catches it
        self.each(nodes, scope)
        self._in_message = False

    def _with(self, node: ast.With, scope: In, takes: ValueKind) -> None:
        for item in node.items:
            call = item.context_expr
            dotted = self.value(call.func, scope).dotted if isinstance(call, ast.Call) else ""
            is_known = dotted in grammar.CONTEXTS and item.optional_vars is None
            if not isinstance(call, ast.Call) or not is_known:
                no(call, "This context may change more than the lines below it.")
            self.each([*call.args, *(k.value for k in call.keywords)], scope)
        self.each(node.body, scope)

    def _global(self, node: ast.Global | ast.Nonlocal, scope: In, takes: ValueKind) -> None:
        no(node, f"A function assigns `{node.names[0]}` outside of itself.")

    _nonlocal = _global

    def decorators(self, node: ast.FunctionDef, scope: In, is_method: bool = False) -> None:
        """Check decorators: a library's, or own functions, which are called here; not of methods.

        `wraps` changes the function that it is given, which must be the one below it.
        """
        for decorator in node.decorator_list:
            call = decorator if isinstance(decorator, ast.Call) else None
            dotted = self.value(call.func if call else decorator, scope).dotted
            static = static_parameters(decorator, node, self.library_of(scope)) or frozenset()
            if is_method and static.intersection(parameters_of(node)[:1]):
                no(decorator, "A static `self` is a constant of its first program.")
            if is_method and dotted in grammar.DESCRIPTORS and call is None:
                continue
            if isinstance(decorator, ast.Attribute) and decorator.attr in DEFINING:
                self.gives_rule(decorator, scope)
            elif call and self._is_partial_jit(call, scope):
                self._partial_jit(call, scope)
            elif dotted and dotted not in grammar.TRANSFORMS:
                name = dotted.removeprefix("builtins.")
                no(decorator, f"`{name}` makes something else of a function.")
            elif is_method and (not dotted or node.name in grammar.INITIALIZERS):
                no(decorator, "This decorator gives a method to other code.")
            elif dotted == "functools.wraps" and decorator is not node.decorator_list[-1]:
                no(decorator, "`wraps` changes what another decorator returns.")
            else:
                self.makes_jits |= scope is not None and dotted == "jax.jit"
                self.check(decorator, scope, ValueKind.JIT)

    # --- calls -----------------------------------------------------------------------------------

    def arguments(
        self, call: ast.Call, scope: In, takes: ValueKind = NOTHING, skip: int = 0
    ) -> None:
        """Check the arguments of a call, but for the first `skip`."""
        self.each((*call.args[skip:], *(k.value for k in call.keywords)), scope, takes)

    def _call(self, node: ast.Call, scope: In, takes: ValueKind) -> None:
        func = node.func
        callee = self.value(func, scope)
        is_own = callee.is_class or callee.function is not None
        for name in (k.arg or "" for k in node.keywords):
            if name.startswith("donate") or (not is_own and name in grammar.WRITING_KEYWORDS):
                no(node, f"`{name}=` lets a call change what it is given.")
        if callee.dotted:
            self.check(func, scope, ValueKind.CALLED)
            rule = _CALLS.get(callee.dotted, Rules._library_call)
            rule(self, node, callee.dotted, scope, takes)
        elif isinstance(func, ast.Call) and self._is_partial_jit(func, scope):
            self._partial_jit(func, scope)
            self.arguments(node, scope)
        elif isinstance(func, ast.Attribute) and not callee.is_class:
            self._method_call(node, func, scope)
        else:
            self._whole(func, scope)
            self.arguments(node, scope)
            self._constructed(node, callee, scope)

    def _library_call(
        self, node: ast.Call, dotted: str, scope: In, takes: ValueKind = NOTHING
    ) -> None:
        module, _, name = dotted.rpartition(".")
        if name.startswith("register"):
            no(node, "A class is registered again at each call.")
        if module in ("collections.abc", "typing") and name not in ("TypeVar", "NamedTuple"):
            no(node, f"`{dotted}` is a type, and is called.")
        if dotted == "jax.device_put" and (len(node.args) > 2 or _spreads(node)):
            no(node, "`jax.device_put` may give its argument away.")
        if dotted.startswith("numpy."):
            before_dtype, before_out = grammar.numpy_arguments(dotted)
            if _spreads(node) or len(node.args) > before_out:
                no(node, f"`{dotted}` may write to one of these arguments.")
            self._types_written_out(node, node.args[before_dtype:], scope)
        takes_all = module == "itertools" or dotted in grammar.TAKES_ALL
        is_operand = module == "jax.numpy" and name not in grammar.CALLING
        may_be = ValueKind.OPERAND if is_operand else NOTHING
        self.arguments(node, scope, ValueKind.ITERATOR if takes_all else may_be)

    def _is_partial_jit(self, node: ast.Call, scope: In) -> bool:
        """Whether an expression is `partial(jax.jit, ...)`."""
        names = [self.value(x, scope).dotted for x in (node.func, *node.args)]
        return names == ["functools.partial", "jax.jit"]

    def _partial_jit(self, node: ast.Call, scope: In) -> None:
        """Check `partial(jax.jit, ...)` where it is given a function at once."""
        self.check(node.args[0], scope, ValueKind.JIT)
        self._jit_options(node, scope)
        self.arguments(node, scope, skip=1)

    def _jit_options(self, node: ast.Call, scope: In) -> None:
        """Check the options of jit: some write files, or give arguments away."""
        self.makes_jits |= scope is not None
        if len(node.args) > 1 or any(isinstance(a, ast.Starred) for a in node.args):
            no(node, "What jit does with more than one argument is not known.")
        for keyword in node.keywords:
            name = keyword.arg or "**"
            if name not in PURE_OPTIONS:
                no(node, f"What jit does with `{name}=` is not known.")
            self.has_static |= name.startswith("static")

    def _jit_call(self, node: ast.Call, dotted: str, scope: In, takes: ValueKind) -> None:
        self._jit_options(node, scope)
        self.arguments(node, scope)

    def _types_written_out(self, node: ast.Call, given: list[ast.expr], scope: In) -> None:
        """Check types of data: some read the clock."""
        named = [k.value for k in node.keywords if k.arg in ("dtype", "signature")]
        for dtype in (*given, *named):
            is_own = isinstance(dtype, ast.Attribute) and "dtype" in self.members
            if is_own or not grammar.is_dtype(dtype, self.value(dtype, scope).dotted):
                no(dtype, "The data type is not written out.")

    def _isinstance(self, node: ast.Call, dotted: str, scope: In, takes: ValueKind) -> None:
        if len(node.args) != 2 or node.keywords:
            no(node, "`isinstance` takes two arguments.")
        value, asked = node.args
        self.check(value, scope)
        is_plain = self.value(value, scope).is_plain
        words = grammar.CONTAINERS | (grammar.NUMBERS if is_plain else frozenset())
        for kind in asked.elts if isinstance(asked, ast.Tuple) else [asked]:
            found = self.value(kind, scope)
            if not (found.is_class or found.dotted in words):
                no(kind, "The type of a value is another when it is traced.")

    def _new(self, node: ast.Call, dotted: str, scope: In, takes: ValueKind = NOTHING) -> None:
        if len(node.args) != 1 or not self.value(node.args[0], scope).is_class:
            no(node, "What is made here is not an object of an own class.")

    def _wraps(self, node: ast.Call, dotted: str, scope: In, takes: ValueKind) -> None:
        if ValueKind.JIT not in takes:
            no(node, "`wraps` changes the function that it is given.")
        self.arguments(node, scope)

    def _field(self, node: ast.Call, dotted: str, scope: In, takes: ValueKind) -> None:
        if any(k.arg in ("compare", "hash", None) for k in node.keywords):
            no(node, "jit would not see that this field differs.")
        self.arguments(node, scope)

    def _replace(self, node: ast.Call, dotted: str, scope: In, takes: ValueKind) -> None:
        for keyword in node.keywords:
            self.compared(node, keyword.arg or "", keyword.value, scope)
        self.arguments(node, scope)

    def _never(self, node: ast.Call, dotted: str, scope: In, takes: ValueKind) -> None:
        no(node, f"`{ast.unparse(node.func)}(...)` is not proved.")

    def _method_call(self, node: ast.Call, func: ast.Attribute, scope: In) -> None:
        name, whole = func.attr, self.value(func.value, scope)
        self.called.add(name)
        is_own = name in self.members and self._readable(func, scope)
        is_changing = name in CHANGING and not is_own
        is_changing &= not is_optax_update(node) or ValueKind.SET in whole.may_be
        takes = NOTHING
        match func.value:
            case ast.Subscript(value=ast.Attribute(value=array, attr="at"), slice=index) if (
                name in grammar.UPDATES and "at" not in self.members
            ):
                self.each((array, index), scope)
            case _ if name == "__new__" and whole.is_class:
                self._new(node, "", scope)
                return
            case _ if name in DEFINING:
                self.gives_rule(func, scope)
            case _ if is_changing or self._changes_self(name):
                self._changed(node, func.value, scope, is_attribute=is_own)
                takes = ValueKind.ITERATOR if name in ("update", "extend") else NOTHING
                self.check(func.value, scope)
            case _ if is_own:
                self._whole(func.value, scope)
            case _:
                self._library_method(node, func, scope)
                takes = ValueKind.ITERATOR if name == "join" else NOTHING
        self.arguments(node, scope, takes)

    def _library_method(self, node: ast.Call, func: ast.Attribute, scope: In) -> None:
        """A method of an array, dictionary or text; an array's may write to an argument."""
        name = func.attr
        if name not in grammar.METHODS:
            no(node, f"What `.{name}(...)` does is not known.")
        self.makes_jits |= name in ("lower", "compile") and scope is not None
        if name == "compile" and (node.args or node.keywords):
            no(node, "What the compiler's options do is not known.")
        most = grammar.METHOD_ARGUMENTS.get(name)
        if most is not None and (_spreads(node) or len(node.args) > most):
            no(node, f"`.{name}(...)` may write to one of these arguments.")
        self._types_written_out(node, node.args[:1] if name in ("astype", "view") else [], scope)
        self.check(func.value, scope)

    def gives_rule(self, func: ast.Attribute, scope: In) -> None:
        """Check `f.defvjp`, where `f` is made beside it by a library's decorators."""
        name = func.value.id if isinstance(func.value, ast.Name) else ""
        found = self.value(func.value, scope).function
        is_here = scope is None or scope.find(name) is scope.function
        decorators = getattr(found, "decorator_list", [])
        is_kept = all(self.keeps_result(d, scope) for d in decorators)
        is_called = scope is None and isinstance(self.definitions.get(name), ast.Call)
        if not (is_here and is_kept and (found or is_called)):
            no(func, _changes(func))

    # --- what may be changed ---------------------------------------------------------------------

    def _stored(self, node: ast.Attribute | ast.Subscript, scope: In) -> None:
        """Check an assignment to an item or an attribute."""
        if isinstance(node, ast.Subscript):
            self.check(node.slice, scope)
        elif node.attr.startswith("__"):
            no(node, _changes(node.value))
        self._changed(node, node.value, scope, isinstance(node, ast.Attribute))

    def _changed(self, node: ast.AST, whole: ast.expr, scope: In, is_attribute: bool) -> None:
        """Check that what a node changes was made in this call."""
        if not self._may_change(whole, scope, is_attribute):
            no(node, _changes(whole))
        assert scope is not None
        function, name = scope.function, getattr(scope.function.node, "name", "")
        is_its_own = name in grammar.MAKERS or (function.me and self._changes_self(name))
        if is_attribute and not (is_its_own or function.is_rebuilt):
            self.mutated = node
        self._array_changed(root_of(whole) or "", node, scope)

    def _may_change(self, node: ast.expr, scope: In, is_attribute: bool) -> bool:
        held = scope.find(node.id) if scope and isinstance(node, ast.Name) else None
        if held is None or scope is None or held.function is not scope.function:
            return False
        value = self.value(node, scope)
        return value.is_new and (is_attribute or not value.is_object)

    def _array_changed(self, name: str, change: ast.AST, scope: In) -> None:
        """An array of NumPy is not changed after JAX, or another name, may hold its memory."""
        if scope is None or ValueKind.ARRAY not in self.value(ast.Name(name), scope).may_be:
            return
        function = scope.function
        again = function.loops_around(change)
        start, end = position(change), position(change, of_end=True)
        for read in function.reads.get(name, ()):
            whole: ast.AST = read
            while isinstance(function.parents[whole], (ast.Attribute, ast.Subscript)):
                whole = function.parents[whole]
            is_given = isinstance(getattr(whole, "ctx", None), ast.Load)
            computes = isinstance(function.parents[whole], (ast.BinOp, ast.UnaryOp, ast.Compare))
            is_again = again and position(read) >= end and again & function.loops_around(read)
            if is_given and not computes and (position(read) < start or is_again):
                no(change, f"`{name}` is changed after its memory may be another's, too.")

    # --- what jit compares -----------------------------------------------------------------------

    def _constructed(self, call: ast.Call, callee: Value, scope: In) -> None:
        if callee.is_class and callee.own is not None:
            by_place = zip((kept for _, kept in callee.own.parameters), call.args, strict=False)
            fields = dict(callee.own.parameters)
            by_name = ((fields.get(k.arg or "", ""), k.value) for k in call.keywords)
            for kept, given in (*by_place, *by_name):
                self.compared(given, kept, given, scope)

    def compared(self, node: ast.AST, attr: str, given: Given, scope: In) -> None:
        """What jit compares to find a program is plain, or the caller's: not an array."""
        if not any(attr in c.compared for c in self.classes.values()):
            return
        value = given if isinstance(given, Value) else self.value(given, scope)
        maker = scope.function.node if scope is not None else None
        is_kept = False
        if isinstance(maker, ast.FunctionDef) and maker.name == "tree_unflatten":
            is_kept = True  # it is given what was compared before
        elif isinstance(maker, ast.FunctionDef) and maker.name == "__init__" and scope:
            # A parameter is looked at where the class is called.
            name = given.id if isinstance(given, ast.Name) else ""
            own = self.value(ast.Name(scope.function.me), scope).own
            notes = {a.arg: a.annotation for a in maker.args.args}
            is_called = own is not None and own.name not in self.entries
            is_kept = name in notes and (is_called or self.is_comparable(notes[name]))
        is_kept |= value.part_of == CALLER or value.function is not None
        if not (value.is_plain or value.dotted or is_kept):
            no(node, f"jit compares `{attr}`, which may hold an array.")

    def is_comparable(self, annotation: ast.expr | None) -> bool:
        """Whether an annotation says that jit can compare a value."""
        every = list(ast.walk(annotation)) if annotation is not None else []
        words = [self.value(x, None).dotted for x in every if isinstance(x, ast.Name)]
        return bool(words) and {w.rpartition(".")[2] for w in words} <= grammar.COMPARABLE


_CHECKED = (ast.expr, ast.stmt, ast.pattern, ast.comprehension, ast.match_case)
_CALLS: dict[str, Callable[[Rules, ast.Call, str, In, ValueKind], None]] = {
    "builtins.isinstance": Rules._isinstance,
    "builtins.object.__new__": Rules._new,
    **dict.fromkeys((*grammar.DESCRIPTORS, *grammar.ONLY_NAMED), Rules._never),
    "jax.jit": Rules._jit_call,
    "functools.wraps": Rules._wraps,
    "dataclasses.field": Rules._field,
    "dataclasses.replace": Rules._replace,
}
"""Rules of calls whose arguments need more than to compute."""


def _spreads(call: ast.Call) -> bool:
    has_star = any(isinstance(a, ast.Starred) for a in call.args)
    return has_star or any(k.arg is None for k in call.keywords)


def _changes(node: ast.AST) -> str:
    """Return the reason why a change is not proved."""
    name = root_of(node)
    what = f"`{name}`" if name else "an object"
    return f"This changes {what}, which may have been there before the call."
