"""One cell, node by node: the first thing that is not admitted is refused."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from autograder.grading.allow_list.forms import ABSTRACT, CONTEXTS, ENUMS, ITERATED, Forms, Refused
from autograder.grading.allow_list.scopes import (
    COMPREHENSIONS,
    INITIALISERS,
    Comprehension,
    First,
    Function,
    Scope,
    annotations_of,
    assigned_once,
    binds,
    bound_by,
    bound_by_comprehension,
    bound_in,
    declared,
    imports_in,
    is_setter,
    outside,
)

# What a cell may be made of. Not in it: async code, type parameters.
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
    *("MatchOr", "MatchMapping", "MatchClass"),
}

_BY_PLACE = ("bool", "bytes", "dict", "float", "int", "list", "set", "str", "tuple")
_BUILTIN_BASES = ("object", "dict", "list", "tuple", "set", "int", "float", "str")


def _is_special(name: str) -> bool:
    return name.startswith("__") and bool(name.strip("_"))


class Reach(Forms):
    """Visits one cell; raises `Refused` at the first node that is not admitted."""

    def visit(self, node: ast.AST) -> None:
        if type(node).__name__ not in _NODES:
            raise Refused(node, f"`{type(node).__name__}`")
        super().visit(node)

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
        self, function: Function, body: Sequence[ast.AST], first: tuple[First, str] = ("", "")
    ) -> None:
        """Visit a function's body, in its scope."""
        bound = bound_in(function)
        if both := {name for part in body for name, _ in imports_in(part)} & bound:
            raise Refused(function, f"`{min(both)}`, imported and assigned")
        parameters = frozenset(bound - bound_by(body))
        scope = Scope(bound, declared(body, ast.Global), first=first, parameters=parameters)
        self.scopes.append(scope)
        made, functions = self.made_by(scope, body), self.functions_in(scope, body)
        self.scopes[-1] = replace(scope, made=made, functions=functions)
        self.visit_all(body)
        self.scopes.pop()

    def visit_within(self, scope: Scope, nodes: Iterable[ast.AST]) -> None:
        self.scopes.append(scope)
        self.visit_all(nodes)
        self.scopes.pop()

    def made_by(self, scope: Scope, body: Sequence[ast.AST]) -> frozenset[str]:
        """Return the names that a body assigns once, from a new object of the student's own."""
        values = assigned_once(node for part in body for node in ast.walk(part))
        return frozenset(
            name
            for name, value in values.items()
            if name not in scope.parameters and self.is_new(value)
        )

    def functions_in(self, scope: Scope, body: Sequence[ast.AST]) -> frozenset[str]:
        """Return the names that a body binds once, to a function of the student's own."""
        nodes = [node for part in body for node in ast.walk(part)]
        bound = [name for node in nodes for name in binds(node)]
        defined = [n for n in nodes if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
        every = Counter([*bound, *scope.parameters, *(node.name for node in defined)])
        every.update(n for node in nodes if isinstance(node, ast.Nonlocal) for n in node.names)
        plain = (n for n in body if isinstance(n, ast.FunctionDef))
        return frozenset(
            n.name
            for n in plain
            if every[n.name] == 1 and all(map(self.is_wraps, n.decorator_list))
        )

    def visit_comprehension_scope(self, node: Comprehension) -> None:
        first, *others = node.generators
        self.visit_iterable(first.iter)  # evaluated outside
        result = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        scope = Scope(bound_by_comprehension(node))
        self.visit_within(scope, [first.target, *first.ifs, *others, *result])

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
        if self.names.changing and self.is_known_class(node):
            # Its methods could be called with another object, of which they set attributes.
            raise Refused(node, f"the class `{name}` as a value")
        if not isinstance(node.ctx, ast.Load):
            self.check_bound(node, name)
            if self.names.modules(name) and not self.is_local(name):
                raise Refused(node, f"`{name}` assigned")
        elif _is_special(name) and name not in self.listed.builtins:
            raise Refused(node, f"`{name}`")
        elif not self.is_local(name):
            if modules := self.names.modules(name):
                raise Refused(node, f"the module `{min(modules)}` as a value")
            if self.listed.is_refused_builtin(name):
                raise Refused(node, f"`{name}`")
            if self.is_restricted(node):
                raise Refused(node, f"`{name}` used as a value")
            if self.is_of_class(name) and name in self.names.changing:
                raise Refused(node, f"`{name}`, which sets attributes, as a value")
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
            self.visit_once(inner)
        elif not (self.is_own_dict(node.value) and node.attr in ("items", "keys", "values")):
            if not self.is_known_class(node.value):
                self.visit_once(node.value)
            self.check_member(node)

    def visit_once(self, node: ast.expr) -> None:
        """Visit a value, of which `visit_named` may visit one attribute after the other."""
        if node not in self.seen:
            self.visit(node)
            self.seen.add(node)

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
                if self.scopes or not self.has_own_rule(node.value):
                    raise Refused(node, f"`.{name}`")
            elif name == "__class__":
                raise Refused(node, "`.__class__` as a value")
            elif name in self.names.changing and self.is_known_class(node.value):
                raise Refused(node, f"`.{name}`, which sets attributes, of a class")
            elif name not in self.listed.members | self.listed.kit_members | self.names.own:
                raise Refused(node, f"`.{name}`")
            return
        # What a function was given may be a library's: there, purity would not see a new attribute.
        own = self.is_own_object(node.value)
        if not own and self.is_own_function(node.value):  # JAX and the grader look for some names
            own = name not in self.listed.settable | self.listed.reserved
        if name.startswith("__") or not own:
            raise Refused(node, f"`.{name}` assigned")

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if isinstance(node.target, ast.Attribute):  # is read first
            target = node.target
            self.visit(
                ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
            )
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        self.ignored = node.value
        self.visit(node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self.visit_class(node.annotation)
        self.visit_all([node.target] if node.value is None else [node.target, node.value])

    def visit_MatchAs(self, node: ast.MatchAs) -> None:
        self.check_captured(node, node.name)

    def visit_MatchStar(self, node: ast.MatchStar) -> None:
        self.check_captured(node, node.name)

    def visit_MatchMapping(self, node: ast.MatchMapping) -> None:
        self.check_captured(node, node.rest)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        """Check a pattern that reads attributes: those of its fields, or of a built-in value."""
        by_place = self.is_own_class(node.cls) or self.is_builtin(node.cls, *_BY_PLACE)
        if not self.is_class(node.cls) or (node.patterns and not by_place):
            raise Refused(node, "a pattern of a class in this form")
        self.visit_class(node.cls)
        for name in node.kwd_attrs:
            self.check_member(ast.copy_location(ast.Attribute(node.cls, name, ast.Load()), node))
        if node.patterns and "__match_args__" in self.names.special:
            raise Refused(node, "a pattern of a class with `__match_args__`")
        self.visit_all([*node.patterns, *node.kwd_patterns])

    def check_captured(self, node: ast.AST, name: str | None) -> None:
        if name is not None:
            self.visit_Name(ast.copy_location(ast.Name(name, ast.Store()), node))
        self.generic_visit(node)

    def visit_With(self, node: ast.With) -> None:
        for inner in (n for statement in node.body for n in ast.walk(statement)):
            if isinstance(inner, (ast.Yield, ast.YieldFrom)):
                raise Refused(inner, "`yield` inside `with`")
        for item in node.items:
            called = item.context_expr if item.optional_vars is None else None
            if isinstance(called, ast.Call) and self.stands_for(called.func, CONTEXTS):
                self.visit_context(called)
            else:
                self.visit(item)
        self.visit_all(node.body)

    def visit_context(self, node: ast.Call) -> None:
        """Visit the arguments of a context of a library."""
        constant = all(isinstance(keyword.value, ast.Constant) for keyword in node.keywords)
        if not constant or any(keyword.arg is None for keyword in node.keywords):
            raise Refused(node, "a context with options that are computed")
        self.visit_all(node.args)

    def visit_iterable(self, node: ast.expr) -> None:
        """Visit what is iterated over at once: nothing else can know how far it has come."""
        if isinstance(node, ast.Call) and self.stands_for(node.func, ITERATED):
            self.visit_all([*node.args, *node.keywords])
        else:
            self.visit(node)

    def visit_For(self, node: ast.For) -> None:
        self.visit_iterable(node.iter)
        self.visit_all([node.target, *node.body, *node.orelse])

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit_iterable(node.iter)
        self.visit_all([node.target, *node.ifs])

    # Functions and classes.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.check_bound(node, node.name)
        self.check_function(node)

    def check_function(self, node: ast.FunctionDef, first: tuple[First, str] = ("", "")) -> None:
        if self.names.modules(node.name) and not self.is_local(node.name):
            raise Refused(node, f"`{node.name}` assigned")
        self.visit_decorators(node)
        for annotation in annotations_of(node):
            self.visit_class(annotation)
        given = node.args
        self.visit_all(d for d in (*given.defaults, *given.kw_defaults) if d is not None)
        self.visit_body(node, node.body, first)

    def visit_decorators(self, node: ast.FunctionDef | ast.ClassDef) -> None:
        """Check decorators, where some functions are admitted that are not admitted as values."""
        decorators = node.decorator_list
        for i, decorator in enumerate(decorators):
            inner = decorators[i + 1 :]
            if isinstance(node, ast.ClassDef) and self.is_for_own_classes(decorator):
                if not all(map(self.is_for_own_classes, inner)):
                    raise Refused(decorator, "a decorator of classes above another decorator")
                self.visit_all(self.arguments_of(decorator))
            elif (self.is_wraps(decorator) and not inner) or self.is_jit(decorator):
                self.visit_all(self.arguments_of(decorator))
            elif isinstance(decorator, ast.Call) and self.stands_for(decorator.func, CONTEXTS):
                self.visit_context(decorator)
            elif isinstance(node, ast.ClassDef) and self.names.changing & self.methods_of(node):
                raise Refused(decorator, "a class with methods that set attributes, given away")
            elif isinstance(node, ast.ClassDef) or not self.is_for_functions(decorator, decorators):
                self.visit(decorator)

    def is_for_functions(self, decorator: ast.expr, around: Sequence[ast.expr]) -> bool:
        """Whether a decorator of functions is one that is not admitted as a value."""
        if self.is_own_class(decorator):  # makes an object of it
            return True
        if decorator is around[-1] and self.stands_for(decorator, frozenset({ABSTRACT})):
            return True
        # Under another decorator, a class method could hand on the class.
        of_class = len(around) == 1 and self.is_builtin(decorator, "classmethod")
        return of_class or self.is_builtin(decorator, "staticmethod")

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self.check_bound(node, node.name)
        if self.names.modules(node.name) and not self.is_local(node.name):
            raise Refused(node, f"`{node.name}` assigned")
        if node.keywords:
            raise Refused(node, "keywords of a class")
        self.visit_decorators(node)
        for base in node.bases:
            self.check_base(base)
        if any(self.stands_for(base, ENUMS) for base in node.bases):
            self.check_enum(node)
        if {"__eq__", "__hash__"} & self.methods_of(node) and "__call__" in self.methods_of(node):
            raise Refused(node, "a class that can be called and compared")
        methods = {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        operators = frozenset(methods & self.listed.methods - self.names.changing)
        elsewhere = declared(node.body, ast.Global)
        self.scopes.append(Scope(bound_by(node.body), elsewhere, True, functions=operators))
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                self.check_method(statement)
            else:
                self.check_class_statement(statement)
        self.scopes.pop()

    def check_enum(self, node: ast.ClassDef) -> None:
        """Check that an enumeration has members: calling it with names would make another one."""
        values = assigned_once(inner for part in node.body for inner in ast.walk(part))
        plain = {name for name, value in values.items() if self.is_member(value)}
        if not plain or any(name.startswith("_") for name in bound_by(node.body)):
            raise Refused(node, "an enumeration in this form")

    def is_member(self, value: ast.expr) -> bool:
        auto = isinstance(value, ast.Call) and self.stands_for(value.func, frozenset({"enum.auto"}))
        return auto or isinstance(value, ast.Constant)

    def check_method(self, node: ast.FunctionDef) -> None:
        if _is_special(node.name) and node.name not in self.listed.methods:
            raise Refused(node, f"`def {node.name}`")
        given = [*node.args.posonlyargs, *node.args.args]
        rebound = {name for n in ast.walk(node) for name in binds(n)}
        rebound |= {name for n in ast.walk(node) if isinstance(n, ast.Nonlocal) for name in n.names}
        rebound |= {name for name, _ in imports_in(node)} | bound_by(node.body)
        holds: First = "object"
        if node.name == "__exit__":
            self.check_exit(node)
        if len(self.scopes) > 1:
            holds = ""  # its name is not followed: it may be called with another object
        elif node.decorator_list:
            of_class = len(node.decorator_list) == 1
            of_class = of_class and self.is_builtin(node.decorator_list[0], "classmethod")
            known = all(map(self.is_for_methods, node.decorator_list))
            holds = "class" if of_class else "object" if known else ""
        elif node.name in INITIALISERS:
            holds = "new object"  # nobody else can call it, with another object
        is_known = given and given[0].arg not in rebound
        self.check_function(node, (holds, given[0].arg) if holds and is_known else ("", ""))

    def is_for_methods(self, decorator: ast.expr) -> bool:
        """Whether a decorator calls a method with objects of its class only."""
        of_property = is_setter(decorator) and "setter" not in self.names.own
        cached = self.stands_for(decorator, frozenset({"functools.cached_property"}))
        return (
            of_property
            or cached
            or self.is_builtin(decorator, "property")
            or self.is_jit(decorator)
        )

    def check_exit(self, node: ast.FunctionDef) -> None:
        """Check that a context of the student's own ends no exception, and does not look at one."""
        ignored = bound_in(node) - bound_by(node.body) - {a.arg for a in node.args.args[:1]}
        if node.decorator_list:
            raise Refused(node, "an `__exit__` with a decorator")
        # Whether there is one may be asked: `kind is None`.
        asked = {id(c.left) for c in ast.walk(node) if isinstance(c, ast.Compare) and _asks(c)}
        for inner in ast.walk(node):
            value = inner.value if isinstance(inner, ast.Return) else None
            ends = value is not None and not (
                isinstance(value, ast.Constant) and value.value in (None, False)
            )
            if ends or isinstance(inner, (ast.Yield, ast.YieldFrom)):
                raise Refused(inner, "an `__exit__` that returns something")
            if isinstance(inner, ast.Name) and inner.id in ignored and id(inner) not in asked:
                raise Refused(inner, "an `__exit__` that reads the exception")

    def check_base(self, base: ast.expr) -> None:
        named = base.value if isinstance(base, ast.Subscript) else base  # Generic[T]
        errors = [named.id] if isinstance(named, ast.Name) and _is_error(named.id) else []
        allowed = (
            self.is_own_class(named)
            or self.is_builtin(named, *_BUILTIN_BASES)
            or self.is_builtin(named, *errors)
            or self.stands_for(named, self.listed.bases)
        )
        if not allowed:
            raise Refused(base, f"a class derived from `{ast.unparse(named)}`")
        if isinstance(base, ast.Subscript):
            self.visit(base.slice)

    def check_class_statement(self, statement: ast.stmt) -> None:
        if any(imports_in(statement)):  # the class would have a module as an attribute
            raise Refused(statement, "an import in a class")
        special = {name for name in bound_by([statement]) if _is_special(name)}
        if refused := special - self.listed.class_names - self.listed.methods:
            raise Refused(statement, f"`{min(refused)}` in a class")
        if special:  # `__slots__ = ...`, `__radd__ = __add__`
            value = getattr(statement, "value", None)
            if special <= self.listed.methods:
                if not (isinstance(value, ast.Name) and value.id in self.scopes[-1].functions):
                    raise Refused(statement, f"`{min(special)}` in this form")
                return
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


def _asks(node: ast.Compare) -> bool:
    """Whether a comparison is ``name is None`` or ``name is not None``."""
    by_identity = len(node.ops) == 1 and isinstance(node.ops[0], (ast.Is, ast.IsNot))
    other = node.comparators[0]
    return by_identity and isinstance(other, ast.Constant) and other.value is None


def _is_error(name: str) -> bool:
    found = vars(builtins).get(name)
    return isinstance(found, type) and issubclass(found, Exception)
