"""Functions that are not admitted as values, and the forms in which calls of them are."""

from __future__ import annotations

import ast
import string
from collections.abc import Sequence

from autograder.grading.allow_list.scopes import Names

_WRAPS = "functools.wraps"
_UPDATE = "jax.config.update"
_TIMERS = frozenset({"timeit.timeit", "timeit.repeat"})
_PARTIAL = frozenset({"functools.partial"})
_RULES = frozenset({"jax.custom_jvp", "jax.custom_vjp"})


class Refused(Exception):
    """A node that the allow-list does not admit."""

    def __init__(self, node: ast.AST, what: str) -> None:
        super().__init__(what)
        self.node, self.what = node, what


class Forms(ast.NodeVisitor):
    """What expressions stand for, and the calls that are admitted in some forms only."""

    defining_rules = frozenset({"defjvp", "defjvps", "defvjp"})

    def __init__(self, names: Names) -> None:
        self.names = names
        self.listed = names.listed
        # Names bound by the scopes around, innermost last, and whether the scope is a class.
        self.scopes: list[tuple[set[str], bool]] = []
        # The name of `self` in an initialiser of a class, for each scope.
        self.initialised: list[str | None] = []

    # What an expression stands for.

    def is_local(self, name: str) -> bool:
        """Whether a name is bound by a function or comprehension around."""
        return any(name in bound for bound, of_class in self.scopes if not of_class)

    def is_of_class(self, name: str) -> bool:
        """Whether a name may be one that the class body binds in which it stands."""
        return bool(self.scopes) and self.scopes[-1][1] and name in self.scopes[-1][0]

    def dotted(self, node: ast.AST) -> str | None:
        """Return the dotted name that an expression spells, if it starts with an imported name."""
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return base and f"{base}.{node.attr}"
        if not isinstance(node, ast.Name) or self.is_local(node.id):
            return None
        given = self.names.imported.get(node.id, set())
        if not self.names.modules(node.id):
            # A function of a library's is a value like others if the name may have another.
            only = len(given) == 1 and node.id not in self.names.bound
            return min(given) if only and not self.is_of_class(node.id) else None
        if len(given) > 1 or node.id in self.names.bound or self.is_of_class(node.id):
            raise Refused(node, f"`{node.id}` for a module and for something else")
        return min(given)

    def stands_for(self, node: ast.AST, dotted: frozenset[str]) -> bool:
        """Whether an expression may be one of the functions given by their dotted names."""
        if isinstance(node, ast.Name) and not self.is_local(node.id):
            return not self.names.imported.get(node.id, set()).isdisjoint(dotted)
        return isinstance(node, ast.Attribute) and self.dotted(node) in dotted

    def stands_for_all(self, node: ast.AST, dotted: frozenset[str]) -> bool:
        """Whether an expression is one of the functions given by their dotted names."""
        return self.dotted(node) in dotted

    def is_builtin(self, node: ast.AST, *names: str) -> bool:
        """Whether an expression is one of these built-in functions."""
        return (
            isinstance(node, ast.Name)
            and node.id in names
            and not self.is_local(node.id)
            and not self.is_of_class(node.id)
            and node.id not in self.names.bound
            and node.id not in self.names.imported
        )

    def is_own_class(self, node: ast.AST) -> bool:
        """Whether an expression is a class of the student's own."""
        if not isinstance(node, ast.Name) or self.is_local(node.id) or self.is_of_class(node.id):
            return False
        definitions = self.names.classes.get(node.id, [])
        decorators = [decorator for d in definitions for decorator in d.decorator_list]
        once = bool(definitions) and self.names.is_defined_once(node.id)
        return once and all(map(self.is_for_own_classes, decorators))

    def is_for_own_classes(self, decorator: ast.expr) -> bool:
        """Whether a decorator is a function that changes a class and returns it."""
        if isinstance(decorator, ast.Call):
            if self.stands_for_all(decorator.func, _PARTIAL) and decorator.args:
                decorator = decorator.args[0]
            elif not decorator.args:
                decorator = decorator.func
        return self.stands_for_all(decorator, self.listed.for_own_classes)

    def arguments_of(self, decorator: ast.expr) -> Sequence[ast.AST]:
        """Return what is to be visited of an admitted decorator."""
        if not isinstance(decorator, ast.Call):
            return ()
        is_partial = self.stands_for_all(decorator.func, _PARTIAL)
        return [*decorator.args[is_partial:], *decorator.keywords]

    def is_wraps(self, decorator: ast.expr) -> bool:
        """Whether a decorator is ``wraps(function)`` without options."""
        return (
            isinstance(decorator, ast.Call)
            and self.stands_for_all(decorator.func, frozenset({_WRAPS}))
            and len(decorator.args) == 1
            and not isinstance(decorator.args[0], ast.Starred)
            and not decorator.keywords
        )

    def is_restricted_name(self, dotted: str) -> bool:
        return dotted in self.listed.for_own_classes | _TIMERS | {_WRAPS, _UPDATE}

    def is_restricted(self, name: ast.Name) -> bool:
        """Whether a name may be a function that is admitted in some forms only."""
        return any(map(self.is_restricted_name, self.names.imported.get(name.id, ())))

    def class_of(self, node: ast.AST) -> ast.expr | None:
        """Return `x` of ``type(x)`` and ``x.__class__``."""
        if isinstance(node, ast.Attribute) and node.attr == "__class__":
            return node.value
        if isinstance(node, ast.Call) and self.is_builtin(node.func, "type"):
            plain = len(node.args) == 1 and not node.keywords
            if plain and not isinstance(node.args[0], ast.Starred):
                return node.args[0]
        return None

    def has_own_rule(self, node: ast.expr) -> bool:
        """Whether an expression is a function of the student's own with a derivative of its own."""
        if not isinstance(node, ast.Name) or self.is_local(node.id):
            return False
        definitions = self.names.functions.get(node.id, [])
        decorators = [decorator for d in definitions for decorator in d.decorator_list]
        return (
            bool(definitions)
            and self.names.is_defined_once(node.id)
            and all(len(d.decorator_list) == 1 for d in definitions)
            and all(
                self.stands_for_all(d, _RULES)
                or (
                    isinstance(d, ast.Call)
                    and self.stands_for_all(d.func, _PARTIAL)
                    and bool(d.args)
                    and self.stands_for_all(d.args[0], _RULES)
                )
                for d in decorators
            )
        )

    # Calls.

    def visit_Compare(self, node: ast.Compare) -> None:
        for operand in (node.left, *node.comparators):
            self.visit(self.class_of(operand) or operand)

    def visit_Call(self, node: ast.Call) -> None:
        called = self.class_of(node.func)
        arguments: Sequence[ast.expr] | None = node.args
        if called is not None and len(node.args) != 3 and not _is_starred(node):
            # With three arguments, the class of a class makes a new one.
            self.visit(called)
        elif (arguments := self.visit_special(node)) is None:
            self.visit(node.func)
            arguments = node.args
        may_be_class = self.is_builtin(node.func, "isinstance", "issubclass")
        for argument in arguments:
            self.visit((may_be_class and self.class_of(argument)) or argument)
        for keyword in node.keywords:
            self.visit(keyword)

    def visit_special(self, node: ast.Call) -> Sequence[ast.expr] | None:
        """Check a form in which a function is admitted that is not admitted as a value.

        Returns:
            The arguments that are still to be visited, or None if it is not such a form.
        """
        function, arguments = node.func, node.args
        if _is_starred(node):
            return None
        given = len(arguments)
        if self.is_builtin(function, "getattr", "hasattr") and given in (2, 3):
            return self.visit_named(node, ast.Load())
        if self.is_builtin(function, "setattr") and given == 3:
            return self.visit_named(node, ast.Store())
        if self.is_builtin(function, "delattr") and given == 2:
            return self.visit_named(node, ast.Del())
        if self.is_builtin(function, "super"):
            return None if arguments or node.keywords else ()
        if isinstance(function, ast.Attribute):
            if function.attr == "__setattr__" and given == 3:
                of_object = self.is_builtin(function.value, "object")
                return self.visit_named(node, ast.Store()) if of_object else None
            if self.visit_special_method(node, function):
                return arguments
        return arguments if self.is_special_import(node) else None

    def visit_named(self, node: ast.Call, context: ast.expr_context) -> Sequence[ast.expr] | None:
        """Check ``getattr(x, "name")`` and the like as if it were written ``x.name``."""
        name = node.args[1]
        if not isinstance(name, ast.Constant) or not isinstance(name.value, str):
            return None
        if not name.value.isidentifier():
            raise Refused(node, "an attribute whose name is not one")
        self.visit(ast.copy_location(ast.Attribute(node.args[0], name.value, context), node))
        return node.args[2:]

    def visit_special_method(self, node: ast.Call, function: ast.Attribute) -> bool:
        """Check a method that is admitted in some forms only; False if it is not one of them."""
        base, arguments = function.value, node.args
        of_object = self.is_builtin(base, "object")
        of_super = (
            isinstance(base, ast.Call)
            and self.is_builtin(base.func, "super")
            and not (base.args or base.keywords)
        )
        if function.attr == "__new__":
            # Without `__new__` of its own (and no class here has another), what `object` does.
            of_itself = len(arguments) == 1 and ast.dump(arguments[0]) == ast.dump(base)
            of_class = isinstance(base, ast.Name) and of_itself
            if of_class:
                self.visit(base)
            return (of_object or of_super or of_class) and len(arguments) == 1 and not node.keywords
        if function.attr in ("__init__", "__post_init__"):
            return of_super
        if function.attr == "format" and isinstance(base, ast.Constant):
            if not isinstance(base.value, str) or _reads_attributes(base.value):
                raise Refused(node, "a format string that reads attributes")
            return True
        return False

    def is_special_import(self, node: ast.Call) -> bool:
        function, arguments = node.func, node.args
        dotted = self.dotted(function)
        if dotted in self.listed.for_own_classes:
            return bool(arguments) and self.is_own_class(arguments[0])
        if dotted in _TIMERS:
            return self.is_timed_function(node)
        if dotted == _UPDATE and arguments and isinstance(arguments[0], ast.Constant):
            return arguments[0].value in self.listed.settings
        return False

    def is_timed_function(self, node: ast.Call) -> bool:
        """Whether ``timeit``, which evaluates text, is given a function."""
        timed = node.args[0] if len(node.args) == 1 else None
        if not {keyword.arg for keyword in node.keywords} <= {"number", "repeat"}:
            return False
        if isinstance(timed, ast.Lambda):
            return True
        definitions = self.names.functions.get(timed.id, []) if isinstance(timed, ast.Name) else []
        return (
            isinstance(timed, ast.Name)
            and not self.is_local(timed.id)
            and self.names.is_defined_once(timed.id)
            and bool(definitions)
            and not any(d.decorator_list for d in definitions)
        )


def _is_starred(node: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in node.args)


def _reads_attributes(text: str) -> bool:
    """Whether a format string reads attributes or elements of what it formats."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return False  # formatting it fails
    return any("." in (name or "") or "[" in (name or "") for _, name, _, _ in fields) or any(
        "{" in (spec or "") for _, _, spec, _ in fields
    )
