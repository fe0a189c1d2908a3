"""The proof: every statement of a slice computes, or the first that may do more, and why."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from autograder.source import grammar
from autograder.source.cells_read import Place, read_source
from autograder.source.computation import NotComputation, Rules, no
from autograder.source.jit_options import JittedFunction, read_jitted
from autograder.source.known_values import ANY, Function, OwnClass, Value, ValueKind, imported
from autograder.source.own_classes import aux_data, read_class
from autograder.source.scopes import bound_names
from autograder.source.slicing import Slice, Unproved, make_slice

CHANGES_SELF = "This changes `self`, which may have been there before the call."
MOST_STATEMENTS = 2_000
"""In a slice; a longer one is not proved."""


@dataclass(frozen=True)
class SourceProof:
    """What is known about a slice without running it.

    Attributes:
        slice: the statements.
        unproved: the first line that is not proved; None where the slice is proved pure.
        jitted: the names of the slice that are bound to a jitted function at the top. None where
            it is not proved, or a function of it makes a jitted function, or compiles one.
    """

    slice: Slice
    unproved: Unproved | None
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
    if not 0 < len(sliced.positions) <= MOST_STATEMENTS:
        return SourceProof(
            sliced, Unproved(Place("", 0), "There is nothing to prove, or too much.")
        )
    prover = _Prover(sliced)
    try:
        unproved = prover.run()
    except RecursionError:
        unproved = Unproved(Place("", 0), "The source nests too deeply to be proved.")
    is_counted = unproved is None and not prover.makes_jits
    return SourceProof(sliced, unproved, prover.jitted if is_counted else {})


class _Prover(Rules):
    """Goes through a slice: first what runs as the cells run, then what runs when it is called."""

    def __init__(self, sliced: Slice) -> None:
        super().__init__(sliced.statements, sliced.entries, sliced.source.changed)
        self._sliced = sliced
        self.jitted: dict[str, JittedFunction] = {}

    def run(self) -> Unproved | None:
        statement = self._sliced.statements[0]
        try:
            for each in self._sliced.statements:
                if isinstance(each.node, ast.ClassDef):
                    self.enter_class(read_class(each.node))
            for statement in self._sliced.statements:
                self.statement = statement
                self._top(statement.node)
            while self.later:
                statement, node, outer = self.later.pop()
                self.statement = statement
                scope = self.scope_of(node, outer)
                self.each(node.body if isinstance(node.body, list) else [node.body], scope)
            self._whole_slice()
        except NotComputation as found:
            line = getattr(found.node, "lineno", statement.node.lineno)
            return Unproved(Place(statement.cell, line), found.reason)
        return None

    def _whole_slice(self) -> None:
        """Check what only all of it tells: which methods are called, and how objects are used."""
        for own in self.classes.values():
            for method in own.methods:
                if method.name in own.changing - self.called:
                    no(method, CHANGES_SELF)  # the caller may call it
        if self.has_static and self.mutated is not None:
            no(self.mutated, "A static object is a constant of its program: it may not change.")

    def _top(self, node: ast.stmt) -> None:
        if self.statement is None or not self.statement.is_read:
            no(node, "This cell cannot be read.")
        match node:
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                self.check(node, None)
                for a in names:
                    name = a.asname or a.name.split(".")[0]
                    self._define(name, node, Value(dotted=imported(a, node)))
            case ast.FunctionDef(name=name):
                self.decorators(node, None)
                self._define(name, node, Value(function=node))
                self._lambda(node, None)
            case ast.ClassDef(name=name):
                own = self.classes[name]
                self._define(name, node, Value(is_class=True, own=own))
                self._class(node, own)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case ast.AnnAssign(target=ast.Name() as target, value=value) if value is not None:
                self.annotation(node.annotation, None)
                self._bind(target, value)
            case ast.Expr(value=ast.Call() as call):
                self._complete(call)
            case _:
                kind = type(node).__name__.lower()
                no(node, f"A name is bound or changed by a statement `{kind}`.")

    def _define(self, name: str, node: ast.AST, value: Value) -> None:
        """Bind a name; what was known about its former value is forgotten."""
        self.unchanged(name, node)
        jitted = read_jitted(node, self.library_of(None), self.definitions)
        if isinstance(node, ast.Name):
            jitted = self.jitted.get(node.id)
        self.definitions[name] = node
        self.jitted.pop(name, None)
        if jitted is not None:
            self.jitted[name] = jitted
        # It is there before any call.
        self.names[name] = replace(value, fresh=ANY)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        given = self.value(value, None)
        match target:
            case ast.Name(id=name):
                self.check(value, None, ValueKind.SET | ValueKind.JIT)
                self._define(name, value, given)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                self.check(value, None, ValueKind.ITERATOR)
                for part in elts:
                    if not isinstance(part, ast.Name):
                        no(target, "This assignment changes an object.")
                    self._define(part.id, target, Value())
            case _:
                no(target, "This assignment changes an object.")

    def _literal(self, node: ast.expr) -> object:
        """Return a literal that stands here, or that a name is bound to; None for others."""
        if isinstance(node, ast.Name) and node.id not in self.changed:
            found = self.definitions.get(node.id)
            node = found if isinstance(found, ast.expr) else node
        try:
            return ast.literal_eval(node)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return None

    def _complete(self, call: ast.Call) -> None:
        """`f.defvjp(...)` and `register_...(C, ...)`, for own functions and classes."""
        dotted = self.value(call.func, None).dotted
        own = self.value(call.args[0], None).own if call.args else None
        setting = self._literal(call.args[0]) if call.args else None
        if isinstance(call.func, ast.Attribute) and call.func.attr in grammar.DEFINING:
            self.gives_rule(call.func, None)
        elif dotted.startswith("jax.tree_util.register_") and own is not None:
            self._registered(call, dotted, own)
        elif dotted != "jax.config.update" or setting not in grammar.DEVICE_SETTINGS:
            no(call, "A call of the notebook may change what is graded.")
        self.arguments(call, None)

    def _registered(self, call: ast.Call, dotted: str, own: OwnClass) -> None:
        """Check a registration: what jit compares is known, and what JAX rebuilds is new."""
        compared = own.compared
        if dotted == "jax.tree_util.register_dataclass":
            given: dict[str | None, ast.expr] = {k.arg: k.value for k in call.keywords}
            given |= zip(("data_fields", "meta_fields", "drop_fields"), call.args[1:], strict=False)
            for name, part in given.items():
                words = self._literal(part)
                if not isinstance(words, (list, tuple)) or not own.members.issuperset(words):
                    no(part, "The fields of this class are not written out.")
                compared |= frozenset(words) if name == "meta_fields" else frozenset()
        else:
            for i, argument in enumerate(call.args[1:3]):
                function = self.value(argument, None).function
                if function is None:
                    no(call, "What this class is registered with is not known.")
                elif i == 0:
                    compared |= self._compared_by(function)
                else:
                    self._rebuilds(function)
        self.enter_class(replace(own, compared=compared))
        found = Value(is_class=True, own=self.classes[own.name])
        self.names |= {own.name: found} if self.names[own.name].own is own else {}

    def _compared_by(self, flatten: Function) -> frozenset[str]:
        """Return the attributes that are aux data: nothing else is but what is plain."""
        scope = self.scope_of(flatten, None)
        unclear = [x for x in aux_data(flatten) if not self.value(x, scope).is_plain]
        for x in unclear:
            if not isinstance(x, ast.Attribute):
                no(x, "jit compares this aux data, which may hold an array.")
        return frozenset(x.attr for x in unclear if isinstance(x, ast.Attribute))

    def _rebuilds(self, unflatten: Function) -> None:
        if not self.returned(unflatten, None).is_new:
            no(unflatten, "What JAX rebuilds may have been there before the call.")

    def _class(self, node: ast.ClassDef, own: OwnClass) -> None:
        for base in node.bases:
            found = self.value(base, None)
            is_plain = found.dotted.removeprefix("builtins.") in grammar.words(
                f"object {grammar.ERRORS}"
            )
            if not (found.is_class or is_plain or found.dotted == "typing.NamedTuple"):
                no(base, "A class with this base is not plain data.")
        if node.keywords:
            no(node, "A class with keywords is not plain data.")
        for decorator in node.decorator_list:
            self._class_decorator(decorator, own)
        self.class_names = frozenset(n for part in node.body for n in bound_names(part))
        for part in node.body:
            match part:
                case ast.Expr(value=ast.Constant()) | ast.Pass():
                    pass
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                    self.annotation(annotation, None)
                    if name in own.compared and not self.is_comparable(annotation):
                        no(part, f"jit compares `{name}`, which may hold an array.")
                    if value is not None:
                        self.check(value, None)
                case ast.Assign(targets=[ast.Name()], value=value):
                    self.check(value, None)
                case ast.FunctionDef(name=name):
                    if name.startswith("__") and name not in grammar.SPECIAL:
                        no(part, f"A plain data class does not define `{name}`.")
                    if name.startswith("tree_") and name in own.changing:
                        no(part, CHANGES_SELF)
                    if name.startswith("tree_flatten"):
                        self._compared_by(part)
                    self.decorators(part, None, is_method=True)
                    self._lambda(part, None)
                case _:
                    no(part, "This statement is not part of a plain data class.")
        self.class_names = frozenset()
        for method in own.methods:
            if method.name == "tree_unflatten":
                self._rebuilds(method)

    def _class_decorator(self, node: ast.expr, own: OwnClass) -> None:
        dotted, args = self.read_decorator(node, None)
        if dotted not in grammar.CLASS_DECORATORS or args:
            no(node, "A class with this decorator is not plain data.")
        if isinstance(node, ast.Call) and dotted == "jax.tree_util.register_dataclass":
            self._registered(node, dotted, own)
        elif isinstance(node, ast.Call):
            self.arguments(node, None)
