"""Functions that are not admitted as values, and the forms in which calls of them are."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from autograder.grading.allow_list.scopes import First, Names, Scope, bound_by, keys_of

_WRAPS = "functools.wraps"
_UPDATE = "jax.config.update"
_CHECKS = frozenset({"autograder.check", "autograder.predict"})
_PRINT = "jax.debug.print"
_TIMERS = frozenset({"timeit.timeit", "timeit.repeat"})
_WITH_CONSTANTS = frozenset({"numpy.errstate", "numpy.set_printoptions"})
# They change what does not belong to a function, where the checks of functions would not see it.
_NOT_IN_FUNCTIONS = _CHECKS | {_UPDATE, "numpy.set_printoptions"}
# Nothing but `with` may enter them: entered by hand, they could be left open.
_OPTIONS = "numpy.printoptions"
CONTEXTS = frozenset(
    {"jax.default_matmul_precision", "jax.ensure_compile_time_eval", "jax.named_scope", _OPTIONS}
)
ITERATED = frozenset({"numpy.ndenumerate", "numpy.ndindex"})
_UPDATE_WRAPPER = "functools.update_wrapper"
_GETTERS = frozenset({"operator.attrgetter", "operator.methodcaller"})
ABSTRACT = "abc.abstractmethod"
_NAMESPACE = frozenset({"types.SimpleNamespace"})
_CALLED_ONLY = (
    frozenset({_WRAPS, _UPDATE, _PRINT, _UPDATE_WRAPPER, ABSTRACT})
    | _CHECKS
    | CONTEXTS
    | ITERATED
    | _TIMERS
    | _WITH_CONSTANTS
    | _GETTERS
    | _NAMESPACE
)
ENUMS = frozenset({"enum.Enum", "enum.IntEnum", "enum.StrEnum"})
# Called, they give access to memory, or make classes with attributes given by text.
_CLASSES_ONLY = frozenset({"numpy.ndarray", "jax.numpy.ndarray", "abc.ABC"}) | ENUMS
_ANNOTATING = ("typing.", "collections.abc.", "numpy.typing.")
_REGISTER = "jax.tree_util.register_dataclass"
_PARTIAL = frozenset({"functools.partial"})
_RULES = frozenset({"jax.custom_jvp", "jax.custom_vjp"})
_COPIES = frozenset({"copy.copy", "copy.deepcopy", "dataclasses.replace"})
_LOOKING = ("dict", "len", "list", "print", "sorted", "str", "tuple")  # change nothing
_JIT = frozenset({"jax.jit", "jax.checkpoint", "jax.remat"})
_REFUSED_OPTIONS = frozenset({"compiler_options", "policy"})
# JAX's own; one of the student's would be called with JAX's objects.
_POLICIES = frozenset(
    f"jax.checkpoint_policies.{name}"
    for name in (
        "everything_saveable",
        "nothing_saveable",
        "dots_saveable",
        "checkpoint_dots",
        "dots_with_no_batch_dims_saveable",
        "checkpoint_dots_with_no_batch_dims",
    )
)


Definition = TypeVar("Definition", ast.FunctionDef, ast.ClassDef)


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
        self.scopes: list[Scope] = []  # around the node, innermost last
        self.ignored: ast.expr | None = None  # the last value that is a statement by itself
        self.seen: set[ast.expr] = set()  # values whose attributes were visited

    def visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    # What an expression stands for.

    def is_local(self, name: str) -> bool:
        """Whether a name is one of a function or comprehension around."""
        for i, scope in enumerate(reversed(self.scopes)):
            if scope.of_class and i:
                continue
            if name in scope.elsewhere:
                return False
            if name in scope.bound:
                return not scope.of_class  # a class body looks further among the global names
        return False

    def is_of_class(self, name: str) -> bool:
        """Whether a name may be one that the class body binds in which it stands."""
        return bool(self.scopes) and self.scopes[-1].of_class and name in self.scopes[-1].bound

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

    def definitions(
        self, node: ast.AST | None, table: Mapping[str, list[Definition]]
    ) -> list[Definition]:
        """Return the student's definitions that a global name stands for, if for nothing else."""
        if not isinstance(node, ast.Name) or self.is_local(node.id) or self.is_of_class(node.id):
            return []
        return table.get(node.id, []) if self.names.is_defined_once(node.id) else []

    def is_own_class(self, node: ast.AST) -> bool:
        """Whether an expression is a class of the student's own."""
        found = self.definitions(node, self.names.classes)
        return bool(found) and all(map(self.is_for_own_classes, decorators_of(found)))

    def is_known_class(self, node: ast.expr) -> bool:
        """Whether a name is a class of the student's own, with methods that set attributes."""
        if self.is_first(node, "class"):
            return bool(self.names.changing)
        found = self.definitions(node, self.names.classes)
        return any(self.names.changing & self.methods_of(definition) for definition in found)

    def methods_of(self, node: ast.ClassDef) -> set[str]:
        """Return the names that a class and the student's classes under it bind."""
        classes, todo = {node}, [node]
        while todo:
            for base in todo.pop().bases:
                more = set(self.names.classes.get(getattr(base, "id", ""), ())) - classes
                classes |= more
                todo += more
        return {name for one in classes for name in bound_by(one.body)}

    def is_made_class(self, node: ast.expr) -> bool:
        """Whether an expression is the student's own class where an object is made of it."""
        of = self.class_of(node)
        of_first = of is not None and (
            self.is_first(of, "object") or self.is_first(of, "new object")
        )
        return of_first or self.is_own_class(node) or self.is_first(node, "class")

    def is_for_own_classes(self, decorator: ast.expr) -> bool:
        """Whether a decorator is a function that changes a class and returns it."""
        if isinstance(decorator, ast.Call):
            if not self.names_fields((), decorator.keywords):
                return False
            if self.stands_for(decorator.func, _PARTIAL) and len(decorator.args) == 1:
                decorator = decorator.args[0]
            elif not decorator.args:
                decorator = decorator.func
        return self.stands_for(decorator, self.listed.for_own_classes)

    def arguments_of(self, decorator: ast.expr) -> Sequence[ast.AST]:
        """Return what is to be visited of an admitted decorator."""
        if not isinstance(decorator, ast.Call):
            return ()
        return [*(decorator.args if self.is_wraps(decorator) else ()), *decorator.keywords]

    def is_wraps(self, decorator: ast.expr) -> bool:
        """Whether a decorator is ``wraps(function)`` without options."""
        return (
            isinstance(decorator, ast.Call)
            and self.stands_for(decorator.func, frozenset({_WRAPS}))
            and len(decorator.args) == 1
            and not isinstance(decorator.args[0], ast.Starred)
            and not decorator.keywords
        )

    def is_jitting(self, node: ast.Call) -> bool:
        """Whether a call is one of ``jit`` or ``checkpoint``, with options that can be read."""
        plain = all(keyword.arg or keys_of(keyword.value) is not None for keyword in node.keywords)
        return plain and self.is_jit(node.func)

    def is_jit(self, decorator: ast.expr) -> bool:
        """Whether a function is ``jit``, or a ``partial`` of it with options that can be read."""
        if not isinstance(decorator, ast.Call):
            return self.stands_for(decorator, _JIT)
        plain = all(keyword.arg for keyword in decorator.keywords)
        is_partial = plain and self.stands_for(decorator.func, _PARTIAL)
        return is_partial and len(decorator.args) == 1 and self.is_jit(decorator.args[0])

    def is_restricted_name(self, dotted: str) -> bool:
        if self.names.spreads and dotted in _JIT:
            return True  # it could be given options by names that are computed
        return dotted in self.listed.for_own_classes | _CALLED_ONLY | _CLASSES_ONLY

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
        found = self.definitions(node, self.names.functions)
        single = all(len(definition.decorator_list) == 1 for definition in found)
        return bool(found) and single and all(map(self.is_rule, decorators_of(found)))

    def is_rule(self, decorator: ast.expr) -> bool:
        """Whether a decorator is ``custom_jvp`` or ``custom_vjp``, or a ``partial`` of one."""
        if isinstance(decorator, ast.Call):
            is_partial = self.stands_for(decorator.func, _PARTIAL) and bool(decorator.args)
            return is_partial and self.stands_for(decorator.args[0], _RULES)
        return self.stands_for(decorator, _RULES)

    # What is new, and so the student's own.

    def value_of(self, node: ast.expr) -> ast.expr | None:
        """Return what a name stands for that is assigned once, or the expression itself."""
        if isinstance(node, ast.Name) and not self.is_local(node.id):
            return self.names.assigned(node.id)
        return node

    def is_own_object(self, node: ast.expr) -> bool:
        """Whether an expression is an object or class of the student's own."""
        if not isinstance(node, ast.Name):
            return False
        if self.is_local(node.id):
            for scope in reversed(self.scopes):
                if node.id in scope.bound and not scope.of_class:
                    return node.id in (scope.first[1], *scope.made)
        made = self.names.assigned(node.id)
        new = made is not None and not self.is_local(node.id) and self.is_new(made)
        return new or self.is_own_class(node)

    def is_own_dict(self, node: ast.expr) -> bool:
        """Whether an expression is the attributes of an object of the student's own."""
        if isinstance(node, ast.Attribute) and node.attr == "__dict__":
            return self.is_first(node.value, "object")
        if not isinstance(node, ast.Call) or not self.is_builtin(node.func, "vars"):
            return False
        return len(node.args) == 1 and self.is_first(node.args[0], "object")

    def is_own_function(self, node: ast.expr) -> bool:
        """Whether a name stands for functions of the student's own, and for nothing around them.

        The checks of purity do not see all attributes of what a library makes of a function.
        """
        if isinstance(node, ast.Name) and self.is_local(node.id):
            around = (s for s in reversed(self.scopes) if node.id in s.bound and not s.of_class)
            return node.id in next(around).functions
        found = self.definitions(node, self.names.functions)
        return bool(found) and all(map(self.is_wraps, decorators_of(found)))

    def is_new(self, value: ast.expr) -> bool:
        """Whether an expression makes a new object of the student's own."""
        if not isinstance(value, ast.Call):
            return False
        made_by = value.func
        if isinstance(made_by, ast.Attribute) and made_by.attr == "__new__":
            return True  # only of a class of the student's own
        if self.stands_for(made_by, _COPIES) and value.args:
            return self.is_own_object(value.args[0])
        if self.stands_for(made_by, _NAMESPACE):
            return True
        return self.is_made_class(made_by)

    def is_first(self, node: ast.expr, holds: First) -> bool:
        """Whether a name is the first parameter of a method around, and holds this."""
        if not isinstance(node, ast.Name):
            return False
        for i, scope in enumerate(reversed(self.scopes)):
            if node.id in scope.bound | scope.elsewhere and not (scope.of_class and i):
                return scope.first == (holds, node.id)
        return False

    # Calls.

    def visit_Compare(self, node: ast.Compare) -> None:
        operands = (node.left, *node.comparators)
        by_identity = all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
        if by_identity and not any(map(self.has_identity, operands)):
            raise Refused(node, "`is` between values")  # equal numbers may differ in it
        # `==` and `in` hand a class to methods of what it is compared with.
        classes = by_identity or all(map(self.is_class, operands))
        for operand in operands:
            (self.visit_class if classes else self.visit)(operand)

    def has_identity(self, node: ast.expr) -> bool:
        """Whether an expression is an object that is like no other: None, a class, a marker."""
        if isinstance(node, ast.Constant):
            return node.value is None or isinstance(node.value, (bool, type(...)))
        if isinstance(node, ast.Attribute) and self.is_own_class(node.value):
            return True  # a member of an enumeration
        made = self.names.assigned(node.id) if isinstance(node, ast.Name) else None
        marker = isinstance(made, ast.Call) and self.is_builtin(made.func, "object")
        own = self.is_own_object(node) or self.is_own_function(node)
        return marker or own or self.is_class(node)

    def is_class(self, node: ast.expr, named: dict[str, bool] | None = None) -> bool:
        """Whether an expression is a class by its form, or some, and no object of the student's.

        `named` holds what other names of classes have turned out to be.
        """
        named = {} if named is None else named
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            return all(self.is_class(element, named) for element in node.elts)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return self.is_class(node.left, named) and self.is_class(node.right, named)
        if isinstance(node, ast.Subscript):
            return self.is_class(node.value, named)
        if isinstance(node, ast.Constant):
            return node.value is None
        if isinstance(node, ast.Name) and not self.is_local(node.id):
            value = self.names.assigned(node.id)
            if value is not None:  # another name of a class, or a type variable
                called = self.dotted(value.func) if isinstance(value, ast.Call) else None
                if node.id not in named:
                    of_typing = (called or "").startswith(_ANNOTATING)
                    named[node.id] = of_typing or self.is_class(value, named)
                return named[node.id]
        known = self.class_of(node) is not None or self.dotted(node) is not None
        of_python = isinstance(node, ast.Name) and self.is_builtin(node, node.id)
        return known or of_python or self.is_own_class(node)

    def visit_class(self, node: ast.expr) -> None:
        """Visit an expression where a class is only compared with."""
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            for element in node.elts:
                self.visit_class(element)
        elif isinstance(node, ast.BinOp) and self.is_class(node):
            self.visit_class(node.left)
            self.visit_class(node.right)
        elif isinstance(node, ast.Subscript) and self.is_class(node):
            self.visit_class(node.value)
            self.visit_parameter(node.slice)
        elif (inner := self.class_of(node)) is not None:
            self.visit(inner)
        elif not (self.stands_for(node, _CLASSES_ONLY) or self.is_known_class(node)):
            self.visit(node)

    def visit_parameter(self, node: ast.expr) -> None:
        """Visit what stands in the brackets of a class; `typing` compares it with other classes."""
        if isinstance(node, (ast.Tuple, ast.List)):
            for element in node.elts:
                self.visit_parameter(element)
        elif not isinstance(node, ast.Constant):
            if not self.is_class(node) or self.class_of(node) is not None:
                raise Refused(node, "an object in the brackets of a class")
            self.visit_class(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if (self.dotted(node.value) or "").startswith(_ANNOTATING):
            of = self.dotted(node.value) == "typing.Annotated"  # calls what is in the brackets
            if of:
                self.visit(node.slice)
            self.visit_class(node)
        else:
            self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        made = self.class_of(node.func)
        arguments: Sequence[ast.expr] | None = node.args
        if made is not None:
            # With more arguments, the class of a class makes a new one, and NumPy's reads memory.
            if len(node.args) > 2 or node.keywords or _is_starred(node):
                raise Refused(node, "a class made from that of a value, with these arguments")
            self.visit(made)
        elif (arguments := self.visit_special(node)) is None:
            if not self.is_known_class(node.func):
                self.visit(node.func)
            arguments = node.args
        compares = self.is_builtin(node.func, "isinstance", "issubclass", "str", "repr")
        if self.is_builtin(node.func, "print"):
            compares = all(isinstance(k.value, ast.Constant) for k in node.keywords)
        for argument in arguments:
            (self.visit_class if compares else self.visit)(argument)
        for keyword in node.keywords:
            self.visit(keyword)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> None:
        self.visit_class(node.value)
        if node.format_spec is not None:
            self.visit(node.format_spec)

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg == "policy" and self.stands_for(node.value, _POLICIES):
            return
        options = {node.arg} if node.arg else keys_of(node.value) or set()
        if refused := _REFUSED_OPTIONS & options:
            raise Refused(node, f"the option `{min(refused)}`")
        self.visit(node.value)

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
        # Only looked at: what is written there could be read as a library's.
        if self.is_builtin(function, *_LOOKING) and not node.keywords:
            return [argument for argument in arguments if not self.is_own_dict(argument)]
        if self.is_builtin(function, "super"):
            return None if arguments or node.keywords else ()
        if self.is_jitting(node):
            self.visit_all(self.arguments_of(function))
            return arguments
        if isinstance(function, ast.Attribute):
            if function.attr == "compile" and self.dotted(function) is None:
                if arguments or node.keywords:
                    raise Refused(node, "`.compile` with options")
                self.visit(function.value)
                return ()
            if function.attr == "__setattr__" and given == 3:
                of_object = self.is_builtin(function.value, "object")
                return self.visit_named(node, ast.Store()) if of_object else None
            if self.visit_special_method(node, function):
                return () if function.attr == "__new__" else arguments
        if not self.is_special_import(node):
            return None
        return arguments[1:] if self.dotted(function) in self.listed.for_own_classes else arguments

    def visit_named(self, node: ast.Call, context: ast.expr_context) -> Sequence[ast.expr] | None:
        """Check ``getattr(x, "name")`` and the like as if it were written ``x.name``."""
        base, name = node.args[:2]
        if (names := self.names.texts_of(name)) is None:
            return None
        for text in sorted(names):
            if not text.isidentifier():
                raise Refused(node, "an attribute whose name is not one")
            self.visit(ast.copy_location(ast.Attribute(base, text, context), node))
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
            if len(arguments) != 1 or node.keywords or not self.is_made_class(arguments[0]):
                return False
            return of_object or of_super or ast.dump(arguments[0]) == ast.dump(base)
        if function.attr in ("__init__", "__post_init__"):
            return of_super
        if function.attr == "format":
            text = self.value_of(base)
            if not isinstance(text, ast.Constant):
                return False
            if not isinstance(text.value, str) or _reads_attributes(text.value):
                raise Refused(node, "a format string that reads attributes")
            return True
        return False

    def is_special_import(self, node: ast.Call) -> bool:
        function, arguments = node.func, node.args
        dotted = self.dotted(function)
        text = arguments[0].value if arguments and isinstance(arguments[0], ast.Constant) else None
        if dotted in _NOT_IN_FUNCTIONS and self.scopes:
            return False
        if dotted in self.listed.for_own_classes:
            # In a function, the second call of some of them fails: that would be state.
            own = bool(arguments) and not self.scopes and self.is_own_class(arguments[0])
            if own and self.is_known_class(arguments[0]) and node is not self.ignored:
                return False  # it returns the class
            lists = arguments[1:] if dotted == _REGISTER else ()
            return own and self.names_fields(lists, node.keywords)
        if dotted in _NAMESPACE:
            named = [(keyword.arg or "_").startswith("_") for keyword in node.keywords]
            return not arguments and not any(named)
        if dotted in _GETTERS:
            return self.reads_members(node)
        if dotted == _UPDATE_WRAPPER:
            own = len(arguments) == 2 and self.is_first(arguments[0], "new object")
            return own and not node.keywords
        if dotted in _TIMERS:
            return self.is_timed_function(node)
        if dotted == _UPDATE:
            # An object of the student's own would be asked by JAX what it is, again and again.
            listed = text in self.listed.settings and len(arguments) == 2 and not node.keywords
            return listed and isinstance(self.value_of(arguments[1]), ast.Constant)
        if dotted in _CHECKS:
            return all(map(_is_literal, arguments)) and not node.keywords
        if dotted in _WITH_CONSTANTS:  # not a function of one's own that it would call
            given = (*arguments, *(keyword.value for keyword in node.keywords))
            return all(isinstance(value, ast.Constant) for value in given)
        if dotted == _PRINT:
            return isinstance(text, str) and not _reads_attributes(text)
        return False

    def reads_members(self, node: ast.Call) -> bool:
        """Whether ``attrgetter`` or ``methodcaller`` is given the names of members, as text."""
        given = node.args if self.dotted(node.func) == "operator.attrgetter" else node.args[:1]
        texts = [a.value if isinstance(a, ast.Constant) else None for a in given]
        names = {n for t in texts for n in (t.split(".") if isinstance(t, str) else [""])}
        return bool(names) and names <= (self.listed.members | self.names.own) - self.defining_rules

    def names_fields(self, lists: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> bool:
        """Whether lists of fields, which JAX reads by their names, name the student's own."""
        if any(keyword.arg is None for keyword in keywords):
            return False
        named = [k.value for k in keywords if (k.arg or "").endswith("fields")]
        known = self.names.own | self.listed.members
        return all(self.fields_in(given) <= known for given in (*lists, *named))

    def fields_in(self, given: ast.expr) -> set[str]:
        """Return the names in a list; an empty one, which is no name, if they are computed."""
        if isinstance(given, (ast.List, ast.Tuple)) and not given.elts:
            return set()
        return self.names.texts_in(given) or {""}

    def is_timed_function(self, node: ast.Call) -> bool:
        """Whether ``timeit``, which evaluates text, is given a function."""
        timed = node.args[0] if len(node.args) == 1 else None
        if not {keyword.arg for keyword in node.keywords} <= {"number", "repeat"}:
            return False
        if isinstance(timed, ast.Lambda):
            return True
        found = self.definitions(timed, self.names.functions)
        return bool(found) and not decorators_of(found)


def decorators_of(definitions: Sequence[ast.FunctionDef | ast.ClassDef]) -> list[ast.expr]:
    """Return all decorators of these definitions."""
    return [decorator for definition in definitions for decorator in definition.decorator_list]


def _is_starred(node: ast.Call) -> bool:
    return any(isinstance(argument, ast.Starred) for argument in node.args)


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression holds nothing but plain values."""
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _reads_attributes(text: str) -> bool:
    """Whether a format string reads attributes or elements of what it formats."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return False  # formatting it fails
    return any("." in (name or "") or "[" in (name or "") for _, name, _, _ in fields) or any(
        "{" in (spec or "") for _, _, spec, _ in fields
    )
