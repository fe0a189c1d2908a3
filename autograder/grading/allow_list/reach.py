"""One cell, node by node: the first thing that is not admitted is refused."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence

from autograder.grading.allow_list.forms import Forms, Refused
from autograder.grading.allow_list.scopes import (
    COMPREHENSIONS,
    Comprehension,
    Function,
    bound_by,
    bound_by_comprehension,
    bound_in,
    imports_in,
    outside,
)

# What a cell may be made of. Not in it: async code, type parameters, class patterns.
_KINDS = (ast.expr, ast.stmt, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
_LEFT_OUT = frozenset(
    {
        *("AsyncFunctionDef", "AsyncFor", "AsyncWith", "Await"),
        *("TypeAlias", "TryStar", "TemplateStr", "Interpolation"),
    }
)
_NODES = {node.__name__ for kind in _KINDS for node in kind.__subclasses__()} - _LEFT_OUT | {
    *("Module", "comprehension", "ExceptHandler", "arguments", "arg", "keyword", "withitem"),
    *("match_case", "MatchValue", "MatchSingleton", "MatchSequence", "MatchStar", "MatchAs"),
    *("MatchOr", "MatchMapping"),
}

_BUILTIN_BASES = ("object", "dict", "list", "tuple", "set", "int", "float", "str")
_INITIALISERS = ("__init__", "__post_init__")


def _is_special(name: str) -> bool:
    return name.startswith("__") and bool(name.strip("_"))


class Reach(Forms):
    """Visits one cell; raises `Refused` at the first node that is not admitted."""

    def visit(self, node: ast.AST) -> None:
        if type(node).__name__ not in _NODES:
            raise Refused(node, f"`{type(node).__name__}`")
        super().visit(node)

    def visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Lambda):
            self.visit_all(outside(node))
            self.visit_body(node, [node.body])
        elif isinstance(node, COMPREHENSIONS):
            self.visit_comprehension_scope(node)
        else:
            super().generic_visit(node)

    # Scopes.

    def visit_body(
        self, function: Function, body: Sequence[ast.AST], self_name: str | None = None
    ) -> None:
        """Visit a function's body, in its scope."""
        bound = bound_in(function)
        if both := {name for part in body for name, _ in imports_in(part)} & bound:
            raise Refused(function, f"`{min(both)}`, imported and assigned")
        self.scopes.append((bound, False))
        self.initialised.append(self_name)
        self.visit_all(body)
        self.scopes.pop()
        self.initialised.pop()

    def visit_comprehension_scope(self, node: Comprehension) -> None:
        first, *others = node.generators
        self.visit(first.iter)  # evaluated outside
        self.scopes.append((bound_by_comprehension(node), False))
        self.initialised.append(None)
        self.visit_all([first.target, *first.ifs, *others])
        self.visit_all([node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt])
        self.scopes.pop()
        self.initialised.pop()

    # Names.

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if not self.listed.is_module(alias.name):
                raise Refused(node, f"`import {alias.name}`")
            self.check_bound(node, alias.asname or alias.name.split(".")[0])

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            dotted = f"{node.module}.{alias.name}"
            if node.level or not (self.listed.is_module(dotted) or self.listed.is_public(dotted)):
                raise Refused(node, f"`from {'.' * node.level}{node.module} import {alias.name}`")
            self.check_bound(node, alias.asname or alias.name)

    def check_bound(self, node: ast.AST, name: str) -> None:
        if _is_special(name):
            raise Refused(node, f"`{name}` assigned")

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        if not isinstance(node.ctx, ast.Load):
            self.check_bound(node, name)
            if self.names.modules(name) and not self.is_local(name):
                raise Refused(node, f"`{name}` assigned")
        elif not self.is_local(name):
            if modules := self.names.modules(name):
                raise Refused(node, f"the module `{min(modules)}` as a value")
            if self.listed.is_refused_builtin(name):
                raise Refused(node, f"`{name}`")
            if self.is_restricted(node):
                raise Refused(node, f"`{name}` used as a value")
            known = name in self.names.imported or name in self.names.bound
            if not (known or self.is_of_class(name) or name in self.listed.builtins):
                raise Refused(node, f"`{name}`")

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        if self.names.modules(node.target.id):
            raise Refused(node, f"`{node.target.id}` assigned")
        self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> None:
        for name in node.names:
            self.check_bound(node, name)
            if self.names.modules(name):
                raise Refused(node, f"`{name}` assigned")

    # Attributes.

    def visit_Attribute(self, node: ast.Attribute) -> None:
        inner = self.class_of(node.value)
        dotted = self.dotted(node)
        if dotted is not None:
            self.check_dotted(node, dotted)
        elif inner is not None and node.attr in ("__name__", "__qualname__"):
            self.visit(inner)
        else:
            self.visit(node.value)
            self.check_member(node)

    def check_dotted(self, node: ast.Attribute, dotted: str) -> None:
        """Check a name that starts with an imported one."""
        parts = dotted.split(".")
        count = max(
            i for i in range(len(parts) + 1) if self.listed.is_module(".".join(parts[:i])) or not i
        )
        module, rest = ".".join(parts[:count]), parts[count:]
        if not rest:
            raise Refused(node, f"the module `{dotted}` as a value")
        public = f"{module}.{rest[0]}"
        if not self.listed.is_public(public):
            raise Refused(node, f"`{public}`")
        if not isinstance(node.ctx, ast.Load):
            raise Refused(node, f"`{dotted}` assigned")
        if self.is_restricted_name(public):
            raise Refused(node, f"`{dotted}` used as a value")
        for name in rest[1:]:
            if name not in self.listed.members or name in self.defining_rules:
                raise Refused(node, f"`.{name}`")

    def check_member(self, node: ast.Attribute) -> None:
        """Check an attribute of a value."""
        name = node.attr
        if isinstance(node.ctx, ast.Load):
            if name in self.defining_rules:
                if not self.has_own_rule(node.value):
                    raise Refused(node, f"`.{name}`")
            elif name == "__class__":
                raise Refused(node, "`.__class__` as a value")
            elif name not in self.listed.members | self.listed.kit_members | self.names.own:
                raise Refused(node, f"`.{name}`")
            return
        base = node.value
        in_initialiser = (
            bool(self.initialised)
            and isinstance(base, ast.Name)
            and base.id == self.initialised[-1]
        )
        shared = name in self.listed.settable or name in self.listed.reserved
        if name.startswith("__") or (shared and not in_initialiser):
            raise Refused(node, f"`.{name}` assigned")

    # Functions and classes.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.check_bound(node, node.name)
        self.check_function(node)

    def check_function(self, node: ast.FunctionDef, self_name: str | None = None) -> None:
        if self.names.modules(node.name) and not self.is_local(node.name):
            raise Refused(node, f"`{node.name}` assigned")
        self.visit_decorators(node)
        decorators = set(map(id, node.decorator_list))
        self.visit_all(part for part in outside(node) if id(part) not in decorators)
        self.visit_body(node, node.body, self_name)

    def visit_decorators(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        """Check decorators, where some functions are admitted that are not admitted as values."""
        decorators = node.decorator_list
        for i, decorator in enumerate(decorators):
            inner = decorators[i + 1 :]
            if isinstance(node, ast.ClassDef) and self.is_for_own_classes(decorator):
                if not all(map(self.is_for_own_classes, inner)):
                    raise Refused(decorator, "a decorator of classes above another decorator")
                self.visit_all(self.arguments_of(decorator))
            elif self.is_wraps(decorator) and not inner:
                self.visit_all(self.arguments_of(decorator))
            else:
                self.visit(decorator)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.check_bound(node, node.name)
        if self.names.modules(node.name) and not self.is_local(node.name):
            raise Refused(node, f"`{node.name}` assigned")
        if node.keywords:
            raise Refused(node, "keywords of a class")
        self.visit_decorators(node)
        for base in node.bases:
            self.check_base(base)
        self.scopes.append((bound_by(node.body), True))
        self.initialised.append(None)
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                self.check_method(statement)
            else:
                self.check_class_statement(statement)
        self.scopes.pop()
        self.initialised.pop()

    def check_method(self, node: ast.FunctionDef) -> None:
        if _is_special(node.name) and node.name not in self.listed.methods:
            raise Refused(node, f"`def {node.name}`")
        self_name = None
        # Nobody else can call it, with another object for `self`.
        if node.name in _INITIALISERS and not node.decorator_list and node.args.args:
            self_name = node.args.args[0].arg
            if self_name in bound_by(node.body):
                self_name = None
        self.check_function(node, self_name)

    def check_base(self, base: ast.expr) -> None:
        named = base.value if isinstance(base, ast.Subscript) else base  # Generic[T]
        errors = [named.id] if isinstance(named, ast.Name) and _is_error(named.id) else []
        allowed = (
            self.is_own_class(named)
            or self.is_builtin(named, *_BUILTIN_BASES)
            or self.is_builtin(named, *errors)
            or self.stands_for_all(named, self.listed.bases)
        )
        if not allowed:
            raise Refused(base, f"a class derived from `{ast.unparse(named)}`")
        if isinstance(base, ast.Subscript):
            self.visit(base.slice)

    def check_class_statement(self, statement: ast.stmt) -> None:
        special = {name for name in bound_by([statement]) if _is_special(name)}
        if refused := special - self.listed.class_names:
            raise Refused(statement, f"`{min(refused)}` in a class")
        if special:  # `__slots__ = ...`
            value = getattr(statement, "value", None)
            if not isinstance(statement, (ast.Assign, ast.AnnAssign)) or value is None:
                raise Refused(statement, f"`{min(special)}` in this form")
            self.visit(value)
        else:
            self.visit(statement)

    # Statements.

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is None:
            raise Refused(node, "`except:` without a class")
        if node.name:
            self.check_bound(node, node.name)
        self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> None:
        for statement in node.finalbody:
            for inner in ast.walk(statement):
                if isinstance(inner, (ast.Return, ast.Break, ast.Continue)):
                    raise Refused(inner, "a `finally` that jumps")
        self.generic_visit(node)


def _is_error(name: str) -> bool:
    found = vars(builtins).get(name)
    return isinstance(found, type) and issubclass(found, Exception)
