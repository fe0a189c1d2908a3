"""The proof: every statement of a slice computes, or the first that may do more, and why."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field

from autograder.source import grammar
from autograder.source.cells_read import DEFINING, Place, Statement, read_source
from autograder.source.expressions import ITERATOR, JIT, SET, Expressions, NotComputation
from autograder.source.freshness import ANY, NEW, OWN, FunctionScope, imported
from autograder.source.jit_options import JittedFunction, read_jitted, static_parameters
from autograder.source.plain_classes import PlainClass, read_class
from autograder.source.slicing import Slice, Unproved, make_slice
from autograder.source.symbol_tables import AmbiguousScope, bound_names, parameters_of

MOST_STATEMENTS = 2_000
"""In a slice; a longer one is not proved."""


@dataclass(frozen=True)
class SourceProof:
    """What is known about a slice without running it.

    Attributes:
        slice: the statements.
        unproved: the first line that is not proved; None where the slice is proved pure.
        makes_jits: whether a function of it makes a jitted function, or compiles one, when it runs.
        jitted: the names of the slice that are bound to a jitted function at the top.
    """

    slice: Slice
    unproved: Unproved | None
    makes_jits: bool = False
    jitted: dict[str, JittedFunction] = field(default_factory=dict)

    @property
    def is_pure(self) -> bool:
        """Whether the entry points have no effect, and their results depend on arguments alone."""
        return self.unproved is None


def prove_cells(cells: Iterable[tuple[str, str]], entries: Iterable[str]) -> SourceProof:
    """Read cells, slice them, and prove the slice.

    >>> prove_cells([("a", "def f(x):\\n    return 2 * x")], ["f"]).is_pure
    True
    """
    return prove_slice(make_slice(read_source(cells), entries))


def prove_slice(sliced: Slice) -> SourceProof:
    """Prove a slice pure, or return the first line that is not; never raises, and runs nothing."""
    if sliced.unclear is not None:
        return SourceProof(sliced, sliced.unclear)
    if len(sliced.positions) > MOST_STATEMENTS:
        return SourceProof(sliced, Unproved(Place("", 0), "The source is too long to be proved."))
    prover = _Prover(sliced)
    try:
        unproved = prover.run()
    except RecursionError:
        unproved = Unproved(Place("", 0), "The source nests too deeply to be proved.")
    return SourceProof(sliced, unproved, prover.makes_jits, prover.jitted)


class _Prover(Expressions):
    """Goes through a slice: first what runs as the cells run, then what runs when it is called."""

    def __init__(self, sliced: Slice) -> None:
        super().__init__(sliced.statements, sliced.source.changed)
        self._sliced = sliced
        self.jitted: dict[str, JittedFunction] = {}
        self._later: list[tuple[Statement, ast.AST, FunctionScope | None]] = []

    def run(self) -> Unproved | None:
        statement = None
        try:
            for statement in self._sliced.statements:
                if isinstance(statement.node, ast.ClassDef):
                    self._enter_class(statement.node)
            for statement in self._sliced.statements:
                self._top(statement)
            while self._later:
                self._statement, node, outer = self._later.pop()
                statement = self._statement
                self._body(node, outer)
        except NotComputation as no:
            assert statement is not None
            line = getattr(no.node, "lineno", statement.node.lineno)
            return Unproved(Place(statement.cell, line), no.reason)
        except AmbiguousScope as name:
            assert statement is not None
            place = Place(statement.cell, statement.node.lineno)
            return Unproved(place, f"It is not clear which `{name}` is meant.")
        return None

    # --- what runs as the cells run --------------------------------------------------------------

    def _enter_class(self, node: ast.ClassDef) -> None:
        found = read_class(node)
        self.classes[node.name] = found
        self.members |= found.members
        self.freshness.members = self.members
        self.methods.update(found.methods)
        self.freshness.own_arithmetic |= bool(found.operators & grammar.ARITHMETIC)

    def _top(self, statement: Statement) -> None:
        node = statement.node
        if statement.tables is None:
            raise NotComputation(node, "This cell cannot be read.")
        self._statement = statement
        match node:
            case ast.Import(names=names):
                for a in names:
                    self._import(node, a, None)
            case ast.ImportFrom(names=names, module=module, level=0):
                for a in names:
                    self._import(node, a, module or "")
            case ast.FunctionDef(name=name):
                self._decorators(node, None)
                self._define(name, node)
                self.function(node, None)
            case ast.ClassDef(name=name):
                self._define(name, node)
                self._class(node)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value) if value is not None:
                self.annotation(node.annotation, None)
                self._bind(node.target, value)
            case ast.Expr(value=ast.Call() as call):
                self._complete(call)
            case _:
                kind = type(node).__name__.lower()
                raise NotComputation(node, f"A name is bound or changed by a statement `{kind}`.")

    def _import(self, node: ast.stmt, alias: ast.alias, module: str | None) -> None:
        dotted = imported(alias, module)
        whole = alias.name if module is None else dotted
        if not grammar.is_known(whole):
            raise NotComputation(node, f"`{whole}` is not known to compute only.")
        name = alias.asname or alias.name.split(".")[0]
        self._define(name, node)
        self.dotted[name] = dotted

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        match target:
            case ast.Name(id=name):
                fields = self._named_tuple(value)
                if fields is not None:
                    self.classes[name] = PlainClass(name, fields, frozenset(), is_tuple=True)
                    self.members |= fields
                    self.freshness.members = self.members
                else:
                    self.expression(value, None, (SET, JIT))
                is_set, dotted = self.freshness.is_set(value, None), self.library(value, None)
                self._define(name, value)
                if is_set:
                    self.freshness.global_sets.add(name)
                if dotted:
                    self.dotted[name] = dotted
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                self.expression(value, None, (ITERATOR,))
                for part in elts:
                    if not isinstance(part, ast.Name):
                        raise NotComputation(target, "This assignment changes an object.")
                    self._define(part.id, target)
            case _:
                raise NotComputation(target, "This assignment changes an object.")

    def _complete(self, call: ast.Call) -> None:
        """`f.defvjp(...)` and `register_...(C, ...)`, for own functions and classes."""
        match call.func:
            case ast.Attribute(value=ast.Name(id=name), attr=attr) if attr in DEFINING:
                if not isinstance(self.definitions.get(name), (ast.FunctionDef, ast.Call)):
                    raise NotComputation(call, f"`{name}` is no function of this notebook.")
                self.arguments(call, None)
                return
            case _:
                dotted = self.library(call.func, None) or ""
        if dotted.startswith("jax.tree_util.register_") and call.args:
            first = call.args[0]
            if isinstance(first, ast.Name) and first.id in self.classes:
                if dotted == "jax.tree_util.register_dataclass":
                    self._literal_fields(call, self.classes[first.id])
                self.arguments(call, None)
                return
        given = [a.value for a in call.args if isinstance(a, ast.Constant)]
        is_device = len(given) == 2 == len(call.args) and given[0] in grammar.DEVICE_SETTINGS
        if dotted == "jax.config.update" and is_device:
            return
        raise NotComputation(call, "A call of the notebook may change what is graded.")

    def _literal_fields(self, call: ast.Call, own: PlainClass) -> None:
        """The fields that a dataclass is registered with are written out, and are its own."""
        for given in (*call.args[1:], *(k.value for k in call.keywords)):
            if isinstance(given, ast.Name) and given.id not in self.changed:
                found = self.definitions.get(given.id)
                given = found if isinstance(found, ast.Tuple) else given
            parts = given.elts if isinstance(given, (ast.List, ast.Tuple)) else [given]
            for x in parts:
                if not (isinstance(x, ast.Constant) and x.value in own.members):
                    raise NotComputation(x, "The fields of this class are not written out.")

    def _class(self, node: ast.ClassDef) -> None:
        for base in node.bases:
            dotted = self.library(base, None)
            name = base.id if isinstance(base, ast.Name) else ""
            is_plain = name == "object" or name in grammar.ERRORS
            is_plain = is_plain and self.is_builtin(name, None)
            if not (name in self.classes or is_plain or dotted == "typing.NamedTuple"):
                raise NotComputation(base, "A class with this base is not plain data.")
        if node.keywords:
            raise NotComputation(node, "A class with keywords is not plain data.")
        for decorator in node.decorator_list:
            self._class_decorator(decorator, self.classes[node.name])
        self.class_names = frozenset(n for part in node.body for n in bound_names(part))
        for part in node.body:
            match part:
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    pass
                case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=value):
                    self.annotation(annotation, None)
                    if value is not None:
                        self._class_value(value)
                        self._static_array(annotation, value)
                case ast.Assign(targets=[ast.Name()], value=value):
                    self._class_value(value)
                case ast.FunctionDef():
                    self._method(part)
                case _:
                    raise NotComputation(part, "This statement is not part of a plain data class.")
        self.class_names = frozenset()

    def _static_array(self, annotation: ast.expr, value: ast.expr) -> None:
        """jit compares static fields, and arrays have no single answer."""
        words = {x.value for x in ast.walk(value) if isinstance(x, ast.Constant)}
        types = {x.attr for x in ast.walk(annotation) if isinstance(x, ast.Attribute)}
        if "static" in words and types & {"Array", "ndarray"}:
            raise NotComputation(annotation, "A static field that is an array cannot be compared.")

    def _class_value(self, value: ast.expr) -> None:
        self.expression(value, None)
        if not isinstance(value, (ast.Constant, ast.Tuple, ast.UnaryOp, ast.Call, ast.Name,
                                  ast.Attribute, ast.BinOp, ast.Lambda)):  # fmt: skip
            raise NotComputation(value, "This default can change, and all objects share it.")

    def _class_decorator(self, node: ast.expr, own: PlainClass) -> None:
        call = node if isinstance(node, ast.Call) else None
        dotted = self.library(call.func if call else node, None)
        args = call.args if call else []
        if dotted == "functools.partial" and args:
            dotted, args = self.library(args[0], None), args[1:]
        if dotted not in grammar.CLASS_DECORATORS or args:
            raise NotComputation(node, "A class with this decorator is not plain data.")
        if call and dotted == "jax.tree_util.register_dataclass":
            self._literal_fields(call, own)
        elif call:
            self.arguments(call, None)

    def _method(self, node: ast.FunctionDef) -> None:
        name = node.name
        if name.startswith("__") and name not in grammar.SPECIAL:
            raise NotComputation(node, f"A plain data class does not define `{name}`.")
        self._decorators(node, None, is_method=True)
        self.function(node, None)

    def _define(self, name: str, node: ast.AST) -> None:
        """Bind a name; what was known about its former value is forgotten."""
        jitted = read_jitted(node, lambda e: self.library(e, None), self.definitions)
        if isinstance(node, ast.Name):
            jitted = self.jitted.get(node.id)
        self.definitions[name] = node
        self.jitted.pop(name, None)
        if jitted is not None:
            self.jitted[name] = jitted
        self.dotted.pop(name, None)
        self.freshness.global_sets.discard(name)
        if not isinstance(node, ast.ClassDef) and self._named_tuple(node) is None:
            self.classes.pop(name, None)

    def _named_tuple(self, node: ast.AST) -> frozenset[str] | None:
        """Return the fields of `namedtuple("S", "a b")`; None for everything else."""
        if not (isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords):
            return None
        if self.library(node.func, None) != "collections.namedtuple":
            return None
        match node.args[1]:
            case ast.Constant(value=str(text)):
                return frozenset(text.replace(",", " ").split())
            case ast.List(elts=parts) | ast.Tuple(elts=parts):
                names = [p.value for p in parts if isinstance(p, ast.Constant)]
                is_text = len(names) == len(parts) and all(isinstance(n, str) for n in names)
                return frozenset(map(str, names)) if is_text else None
            case _:
                return None

    def _decorators(
        self, node: ast.FunctionDef, scope: FunctionScope | None, is_method: bool = False
    ) -> None:
        """A library's wrappers; an own function, which is called here, but not with a method."""
        for decorator in node.decorator_list:
            match decorator:
                case ast.Name(id="property" | "staticmethod" | "classmethod" as name) if is_method:
                    if self.is_builtin(name, scope):
                        continue
            call = decorator if isinstance(decorator, ast.Call) else None
            dotted = self.library(call.func if call else decorator, scope)
            if is_method and dotted is not None:
                self._static_self(decorator, node, scope)
            if self.is_partial_jit(decorator, scope):
                self.partial_jit(decorator, scope)
                continue
            if dotted is not None and dotted not in grammar.TRANSFORMS:
                raise NotComputation(decorator, f"`{dotted}` makes something else of a function.")
            if is_method and (dotted is None or node.name in ("__init__", "__post_init__")):
                raise NotComputation(decorator, "This decorator gives a method to other code.")
            self.makes_jits |= scope is not None and dotted == "jax.jit"
            self.expression(decorator, scope, (JIT,))

    def _static_self(
        self, decorator: ast.expr, node: ast.FunctionDef, scope: FunctionScope | None
    ) -> None:
        static = static_parameters(decorator, node, lambda e: self.library(e, scope))
        if static and parameters_of(node)[0] in static:
            raise NotComputation(decorator, "A static `self` is a constant of its first program.")

    # --- what runs when it is called -------------------------------------------------------------

    def function(self, node: ast.AST, outer: FunctionScope | None, method: str = "") -> None:
        """Check what a function's definition evaluates, and keep its body for later."""
        assert isinstance(node, (ast.FunctionDef, ast.Lambda))
        a = node.args
        for default in (*a.defaults, *(d for d in a.kw_defaults if d)):
            self.expression(default, outer)
        if isinstance(node, ast.FunctionDef):
            every = [*a.posonlyargs, *a.args, a.vararg, *a.kwonlyargs, a.kwarg]
            notes = [*(x.annotation for x in every if x), node.returns]
            for note in notes:
                if note is not None:
                    self.annotation(note, outer)
        self._later.append((self._statement, node, outer))

    def _body(self, node: ast.AST, outer: FunctionScope | None) -> None:
        assert isinstance(node, (ast.FunctionDef, ast.Lambda))
        scope = self.scope_of(node, outer)
        if isinstance(node, ast.Lambda):
            self.expression(node.body, scope)
            return
        for part in node.body:
            self.inner(part, scope)

    def inner(self, node: ast.stmt, scope: FunctionScope) -> None:
        """Check one statement of a function."""
        match node:
            case ast.Pass() | ast.Break() | ast.Continue():
                pass
            case ast.Import(names=names):
                self._inner_import(node, [(a, imported(a, None), a.name) for a in names])
            case ast.ImportFrom(names=names, module=module, level=0):
                dotted = [(a, imported(a, module or "")) for a in names]
                self._inner_import(node, [(a, d, d) for a, d in dotted])
            case ast.FunctionDef():
                self._decorators(node, scope)
                self.function(node, scope)
            case ast.Assign(targets=targets, value=value):
                single = len(targets) == 1 and isinstance(targets[0], ast.Name)
                unpacked = all(isinstance(t, (ast.Tuple, ast.List)) for t in targets)
                takes = (ITERATOR, SET) if single else (ITERATOR,) if unpacked else ()
                self.expression(value, scope, takes)
                for target in targets:
                    self.target(target, scope)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self.expression(value, scope)
                    self.target(target, scope)
            case ast.AugAssign(target=target, value=value):
                self.expression(value, scope, (SET,))
                self._augmented(target, scope)
            case ast.Expr(value=value):
                self.expression(value, scope)
            case ast.Return(value=value):
                if value is not None:
                    self.expression(value, scope)
            case ast.If(test=test, body=body, orelse=orelse):
                self.expression(test, scope, (SET,))
                self._all((*body, *orelse), scope)
            case ast.While(test=test, body=body, orelse=orelse):
                self.expression(test, scope, (SET,))
                self._all((*body, *orelse), scope)
            case ast.For(target=target, iter=it, body=body, orelse=orelse):
                self.expression(it, scope, (ITERATOR,))
                self.target(target, scope)
                self._all((*body, *orelse), scope)
            case ast.Assert(test=test, msg=msg):
                self.expression(test, scope, (SET,))
                self._message(msg, scope)
            case ast.Raise(exc=exc, cause=cause):
                self._message(exc, scope)
                self._message(cause, scope)
            case ast.With(items=items, body=body):
                for item in items:
                    self._context(item, scope)
                self._all(body, scope)
            case ast.Match(subject=subject, cases=cases):
                self.expression(subject, scope)
                for case in cases:
                    self._pattern(case.pattern, scope)
                    if case.guard is not None:
                        self.expression(case.guard, scope)
                    self._all(case.body, scope)
            case ast.Delete(targets=targets):
                for target in targets:
                    self.target(target, scope)
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                raise NotComputation(node, f"A function assigns `{names[0]}` outside of itself.")
            case _:
                kind = type(node).__name__.lower()
                raise NotComputation(node, f"A statement `{kind}` in a function is not proved.")

    def _all(self, nodes: Iterable[ast.stmt], scope: FunctionScope) -> None:
        for node in nodes:
            self.inner(node, scope)

    def _inner_import(self, node: ast.stmt, names: list[tuple[ast.alias, str, str]]) -> None:
        for _, _, whole in names:
            if not grammar.is_known(whole):
                raise NotComputation(node, f"`{whole}` is not known to compute only.")

    def _message(self, node: ast.expr | None, scope: FunctionScope) -> None:
        if node is not None:
            self.in_message += 1
            self.expression(node, scope)
            self.in_message -= 1

    def _context(self, item: ast.withitem, scope: FunctionScope) -> None:
        call = item.context_expr
        dotted = self.library(call.func, scope) if isinstance(call, ast.Call) else None
        if dotted not in grammar.CONTEXTS or item.optional_vars is not None:
            raise NotComputation(call, "This context may change more than the lines below it.")
        assert isinstance(call, ast.Call)
        self.arguments(call, scope)

    def _pattern(self, node: ast.pattern, scope: FunctionScope) -> None:
        for x in ast.walk(node):
            if isinstance(x, ast.MatchClass):
                raise NotComputation(x, "A pattern asks for a class.")
            if isinstance(x, (ast.MatchValue, ast.MatchMapping)):
                for key in [x.value] if isinstance(x, ast.MatchValue) else x.keys:
                    self.expression(key, scope)

    # --- what is assigned ------------------------------------------------------------------------

    def target(self, node: ast.expr, scope: FunctionScope | None) -> None:
        """Check what an assignment in a function binds or changes."""
        assert scope is not None  # at the top, `_bind` binds
        match node:
            case ast.Name():
                pass  # its own: a function that declares a name global or nonlocal is not proved
            case ast.Starred(value=inner):
                self.target(inner, scope)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                for part in elts:
                    self.target(part, scope)
            case ast.Subscript(value=value, slice=index):
                self.expression(index, scope)
                if not self.may_change(value, scope):
                    raise NotComputation(node, self.changes(value))
            case ast.Attribute(value=value, attr=attr):
                if attr.startswith("__") or not self.may_change(value, scope, attribute=True):
                    raise NotComputation(node, self.changes(value))
            case _:
                raise NotComputation(node, "This assignment is not proved.")

    def _augmented(self, node: ast.expr, scope: FunctionScope) -> None:
        match node:
            case ast.Name(id=name):
                if scope.function.kinds.get(name, ANY) < NEW and not self.is_number(name, scope):
                    raise NotComputation(
                        node, f"`{name}` may be the caller's own array or list, changed in place."
                    )
            case ast.Subscript(value=value, slice=index):
                self.expression(index, scope)
                if self.freshness.kind(value, scope) < OWN or not self.may_change(value, scope):
                    raise NotComputation(node, self.changes(value))
            case _:
                raise NotComputation(node, "An attribute is changed in place.")

    def is_number(self, name: str, scope: FunctionScope) -> bool:
        """Whether a name holds plain numbers only."""
        return name in scope.function.static and all(
            b.number for b in scope.function.bound.get(name, ())
        )
