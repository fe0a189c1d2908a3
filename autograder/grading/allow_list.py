"""The allow-list: whether a student's source can reach only public, harmless names.

Trusted code reads the source before any of it runs. Where all of it is admitted, nothing in it can
touch the grader, JAX's own state or another module, so nothing in it can have forged what the
worker saw. It is a list of what is admitted: a form, a name or an attribute that is not listed is
not admitted, whatever it does. It says nothing about style, and nothing is taken from a student
whose source it does not admit.

The rules, with the names in `allow_list.toml`:

- A module is only ever the left part of a dotted name that ends in a listed public name. No
  variable holds a module.
- An attribute of a value is a listed member, or a name that the student's own classes define and
  that no value of Python's, NumPy's or JAX's has (`reserved`).
- An attribute that is set is one of the student's own; where arrays or JAX's objects have one of
  the same name, only ``self`` in ``__init__`` may have it set.
- Functions that take a name as text, change a class that is given to them, or evaluate text are
  admitted in the forms in which they do that to the student's own classes only.
"""

from __future__ import annotations

import ast
import builtins
import functools
import string
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.core.notebook import Cell


@dataclass(frozen=True)
class NotAdmitted:
    """The first thing in a submission that the allow-list does not admit.

    Attributes:
        cell: id of its cell.
        line: in the cell, from 1.
        code: the line's text.
        what: the form or name.
    """

    cell: str
    line: int
    code: str
    what: str


class _Refused(Exception):
    def __init__(self, node: ast.AST, what: str) -> None:
        super().__init__(what)
        self.node, self.what = node, what


@dataclass(frozen=True)
class _List:
    """What `allow_list.toml` holds."""

    public: dict[str, frozenset[str]]
    builtins: frozenset[str]
    methods: frozenset[str]
    class_names: frozenset[str]
    members: frozenset[str]
    kit_members: frozenset[str]
    reserved: frozenset[str]
    settable: frozenset[str]

    @functools.cached_property
    def packages(self) -> frozenset[str]:
        """The listed modules and the packages that they are in."""
        paths = [name.split(".") for name in self.public]
        return frozenset(".".join(path[: i + 1]) for path in paths for i in range(len(path)))


@functools.cache
def _read_list() -> _List:
    text = Path(__file__).with_name("allow_list.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    words = {name: frozenset(value.split()) for name, value in data["python"].items()}
    public = {name: frozenset(value.split()) for name, value in data["names"].items()}
    return _List(public, **words)


# What a cell may be made of. Everything else (async code, type aliases, `from x import *`) is not
# admitted; what is treated by a method of `_Reach` is listed there.
_NODES = frozenset(
    name
    for kind in (ast.expr, ast.stmt, ast.expr_context, ast.boolop, ast.operator, ast.unaryop)
    for name in (node.__name__ for node in kind.__subclasses__())
) | {
    *("Module", "comprehension", "ExceptHandler", "arguments", "arg", "keyword", "withitem"),
    *("match_case", "MatchValue", "MatchSingleton", "MatchSequence", "MatchStar", "MatchAs"),
    *("MatchOr", "MatchMapping", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "Is", "IsNot"),
    *("In", "NotIn"),
}
_NODES -= {
    "AsyncFunctionDef",
    "AsyncFor",
    "AsyncWith",
    "Await",
    "TypeAlias",
    "TryStar",
    "TemplateStr",
}

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

# Functions that change the class they are given: in a decorator, or called with a class of the
# student's own.
_FOR_OWN_CLASSES = frozenset(
    {
        "dataclasses.dataclass",
        "functools.total_ordering",
        "jax.tree_util.register_dataclass",
        "jax.tree_util.register_pytree_node",
        "jax.tree_util.register_pytree_node_class",
        "jax.tree_util.register_pytree_with_keys",
        "jax.tree_util.register_pytree_with_keys_class",
        "jax.tree_util.register_static",
        "typing.final",
    }
)
_TIMERS = frozenset({"timeit.timeit", "timeit.repeat"})
_BASES = frozenset(
    {
        *("abc.ABC", "enum.Enum", "enum.IntEnum", "enum.StrEnum", "typing.NamedTuple"),
        *("typing.Generic", "typing.Protocol", "typing.TypedDict", "collections.OrderedDict"),
        *("collections.Counter", "collections.UserDict"),
    }
)
_BUILTIN_BASES = frozenset({"object", "dict", "list", "tuple", "set", "int", "float", "str"})
_SETTINGS = frozenset(
    {"jax_enable_x64", "jax_default_matmul_precision", "jax_debug_nans", "jax_debug_infs"}
)


def find_not_admitted(cells: Sequence[Cell]) -> NotAdmitted | None:
    """Return the first thing in the cells that is not admitted, or None if all of it is.

    Args:
        cells: all cells of the submission that may run, in order. Grade cells never run and are
            passed over.
    """
    trees: list[tuple[Cell, ast.Module]] = []
    for cell in cells:
        if cell.role == "check":
            continue
        try:
            trees.append((cell, ast.parse(cell.source)))
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            line = getattr(error, "lineno", None) or 1
            return _located(cell, line, "a cell that is not plain Python")
    names = _Names(_read_list())
    try:
        for _, tree in trees:
            names.collect(tree)
        names.settle()
    except RecursionError:
        return _located(cells[0], 1, "a cell that is nested too deeply")
    for cell, tree in trees:
        try:
            _Reach(names).visit(tree)
        except _Refused as refused:
            return _located(cell, getattr(refused.node, "lineno", 1), refused.what)
        except RecursionError:
            return _located(cell, 1, "a cell that is nested too deeply")
    return None


def _located(cell: Cell, line: int, what: str) -> NotAdmitted:
    lines = cell.source.splitlines()
    code = lines[line - 1].strip() if 0 < line <= len(lines) else ""
    return NotAdmitted(cell.id, line, code, what)


def _walk_scope(scope: ast.AST) -> Iterator[ast.AST]:
    """Nodes that belong to a scope itself, not to the functions and classes inside it."""
    todo = list(ast.iter_child_nodes(scope))
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            # Decorators, defaults and bases are evaluated here; the body is another scope.
            inner = (
                [*getattr(node, "body", [])] if not isinstance(node, ast.Lambda) else [node.body]
            )
            todo += [child for child in ast.iter_child_nodes(node) if child not in inner]
        else:
            todo += ast.iter_child_nodes(node)


def _bound(scope: ast.AST) -> set[str]:
    """Names that a scope binds, imports apart."""
    names: set[str] = set()
    outside: set[str] = set()
    for node in _walk_scope(scope):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                names.add(name)
            case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
                names.add(name)
            case ast.Global(names=given) | ast.Nonlocal(names=given):
                outside.update(given)
    if isinstance(scope, _FUNCTIONS):
        arguments = scope.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [a for a in (arguments.vararg, arguments.kwarg) if a]
        names.update(argument.arg for argument in every)
    return names - outside


def _imports(scope: ast.AST) -> Iterator[tuple[ast.stmt, str, str]]:
    """The statement, the name it binds and the dotted name it binds it to."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.split(".")[0]
                yield node, alias.asname or whole, whole
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node, alias.asname or alias.name, f"{node.module}.{alias.name}"


@dataclass
class _Names:
    """What the names of a submission stand for, over all its cells."""

    listed: _List
    imported: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    globals: set[str] = field(default_factory=set)
    classes: set[str] = field(default_factory=set)
    functions: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)

    def collect(self, tree: ast.Module) -> None:
        """Add the names of one cell."""
        self.globals |= _bound(tree)
        for _, name, dotted in _imports(tree):
            self.imported[name].add(dotted)
        for node in ast.walk(tree):
            match node:
                case ast.Global(names=names):
                    self.globals.update(names)
                case ast.FunctionDef(name=name):
                    self.functions.add(name)
                case ast.ClassDef(name=name, body=body):
                    self.classes.add(name)
                    self.own |= _bound(ast.Module(body, []))
                case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
                    self.own.add(name)
                case ast.Call(func=function, args=[_, ast.Constant(value=str(text)), *_]) if _text(
                    function
                ).endswith(("setattr", "__setattr__")):
                    self.own.add(text)
                case ast.Call(func=function, args=[_, fields, *_]) if _text(function).endswith(
                    ("namedtuple", "NamedTuple")
                ):
                    self.own.update(_words(fields))

    def settle(self) -> None:
        """Leave out of the student's own attributes what could reach further."""
        self.own = {name for name in self.own - self.listed.reserved if not name.startswith("__")}

    def is_module(self, dotted: str) -> bool:
        return dotted in self.listed.packages

    def is_public(self, dotted: str) -> bool:
        module, _, name = dotted.rpartition(".")
        return name in self.listed.public.get(module, ())

    def modules(self, name: str) -> set[str]:
        """Modules that a global name may stand for."""
        return {dotted for dotted in self.imported.get(name, ()) if self.is_module(dotted)}


def _text(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _words(fields: ast.AST) -> list[str]:
    """Field names of a functional named tuple."""
    if isinstance(fields, ast.Constant) and isinstance(fields.value, str):
        return fields.value.replace(",", " ").split()
    found = []
    for element in getattr(fields, "elts", ()):
        first = element.elts[0] if isinstance(element, ast.Tuple) and element.elts else element
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            found.append(first.value)
    return found


class _Reach(ast.NodeVisitor):
    """Visits one cell; raises `_Refused` at the first node that is not admitted."""

    def __init__(self, names: _Names) -> None:
        self.names = names
        # Names bound by the functions around, innermost last; a class's are seen in its body only.
        self.scopes: list[tuple[set[str], bool]] = []
        self.initialised: list[str | None] = []  # name of `self`, in `__init__` only
        self.decorating = False

    # What a name stands for.

    def is_local(self, name: str) -> bool:
        last = len(self.scopes) - 1
        return any(
            name in scope and (not of_class or i == last)
            for i, (scope, of_class) in enumerate(self.scopes)
        )

    def dotted(self, node: ast.AST) -> str | None:
        """The dotted name that an expression spells, if it begins with an imported name."""
        if isinstance(node, ast.Attribute):
            base = self.dotted(node.value)
            return base and f"{base}.{node.attr}"
        if isinstance(node, ast.Name) and node.id in self.names.imported:
            given = self.names.imported[node.id]
            if len(given) > 1 and any(self.names.is_module(d) for d in given):
                raise _Refused(node, f"the name `{node.id}` for more than one module")
            return min(given)
        return None

    def stands_for(self, node: ast.AST, dotted: Iterable[str]) -> bool:
        """Whether an expression may be one of the functions given by their dotted names."""
        if isinstance(node, ast.Name):
            return not self.names.imported.get(node.id, set()).isdisjoint(dotted)
        return self.dotted(node) in set(dotted)

    def is_builtin(self, node: ast.AST, *names: str) -> bool:
        return (
            isinstance(node, ast.Name)
            and node.id in names
            and not self.is_local(node.id)
            and node.id not in self.names.globals
        )

    def is_own_class(self, node: ast.AST) -> bool:
        return (
            isinstance(node, ast.Name)
            and node.id in self.names.classes
            and node.id not in self.names.imported
            and not self.is_local(node.id)
        )

    # Every node.

    def visit(self, node: ast.AST) -> None:
        if type(node).__name__ not in _NODES:
            raise _Refused(node, f"`{type(node).__name__}`")
        super().visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, _SCOPES):
            self.visit_scope(node)
        else:
            super().generic_visit(node)

    def visit_scope(self, node: ast.AST, self_name: str | None = None) -> None:
        imported = {name for _, name, _ in _imports(node)}
        bound = _bound(node)
        if both := imported & bound:
            raise _Refused(node, f"`{min(both)}`, imported and assigned")
        self.scopes.append((bound, False))
        self.initialised.append(self_name)
        super().generic_visit(node)
        self.scopes.pop()
        self.initialised.pop()

    # Names.

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            if not self.names.is_module(alias.name):
                raise _Refused(node, f"`import {alias.name}`")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            dotted = f"{node.module}.{alias.name}"
            if node.level or not (self.names.is_module(dotted) or self.names.is_public(dotted)):
                raise _Refused(node, f"`from {'.' * node.level}{node.module} import {alias.name}`")

    def visit_Name(self, node: ast.Name) -> None:
        name = node.id
        dunder = name.startswith("__") and name.strip("_")
        if isinstance(node.ctx, ast.Load):
            if self.is_local(name):
                return
            if modules := self.names.modules(name):
                raise _Refused(node, f"the module `{min(modules)}` as a value")
            if name in self.names.imported:
                if self.stands_for(node, _FOR_OWN_CLASSES | _TIMERS | {"functools.wraps"}):
                    raise _Refused(node, f"`{name}` used as a value")
                return
            if name in self.names.globals and not (name in vars(builtins) and dunder):
                if name not in vars(builtins) or name in self.names.listed.builtins:
                    return
            if name not in self.names.listed.builtins:
                raise _Refused(node, f"`{name}`")
        elif dunder or (not self.scopes and self.names.modules(name)):
            raise _Refused(node, f"`{name}` assigned")

    def visit_Global(self, node: ast.Global) -> None:
        for name in node.names:
            if self.names.modules(name) or name.startswith("__"):
                raise _Refused(node, f"`{name}` assigned")

    # Attributes.

    def visit_Attribute(self, node: ast.Attribute) -> None:
        base = node.value
        root = base
        while isinstance(root, ast.Attribute):
            root = root.value
        is_import = isinstance(root, ast.Name) and not self.is_local(root.id)
        dotted = self.dotted(node) if is_import else None
        if dotted is not None:
            self.check_dotted(node, dotted)
            return
        self.visit(base)
        self.check_member(node)

    def check_dotted(self, node: ast.Attribute, dotted: str) -> None:
        """Check a name that starts with an imported one."""
        parts = dotted.split(".")
        longest = max(
            (i for i in range(len(parts) + 1) if self.names.is_module(".".join(parts[:i]))),
            default=0,
        )
        module, rest = ".".join(parts[:longest]), parts[longest:]
        if not rest:
            raise _Refused(node, f"the module `{dotted}` as a value")
        if not self.names.is_public(f"{module}.{rest[0]}"):
            raise _Refused(node, f"`{module}.{rest[0]}`")
        if not isinstance(node.ctx, ast.Load):
            raise _Refused(node, f"`{dotted}` assigned")
        if f"{module}.{rest[0]}" in _FOR_OWN_CLASSES | _TIMERS | {"functools.wraps"}:
            raise _Refused(node, f"`{dotted}` used as a value")
        for name in rest[1:]:
            if name not in self.names.listed.members:
                raise _Refused(node, f"`.{name}`")

    def check_member(self, node: ast.Attribute) -> None:
        """Check an attribute of a value."""
        name, listed = node.attr, self.names.listed
        if isinstance(node.ctx, ast.Load):
            if name == "format" and isinstance(node.value, ast.Constant):
                return  # checked where it is called
            if name not in listed.members | listed.kit_members | self.names.own:
                raise _Refused(node, f"`.{name}`")
            return
        in_init = (
            bool(self.initialised)
            and isinstance(node.value, ast.Name)
            and node.value.id == self.initialised[-1]
        )
        shared = name in listed.settable or name in listed.reserved
        if name.startswith("__") or (shared and not in_init):
            raise _Refused(node, f"`.{name}` assigned")

    # Calls.

    def visit_Call(self, node: ast.Call) -> None:
        function = node.func
        if self.is_special(node):
            rest: list[ast.AST] = [*node.args, *node.keywords]
        else:
            rest = [function, *node.args, *node.keywords]
        for child in rest:
            self.visit(child)

    def is_special(self, node: ast.Call) -> bool:
        """Whether a call is one of the forms in which a function is admitted that is not a value."""
        function, arguments = node.func, node.args
        if any(isinstance(a, ast.Starred) for a in arguments[:2]):
            return False
        literal = len(arguments) > 1 and isinstance(arguments[1], ast.Constant)
        if literal and self.is_builtin(function, "getattr", "hasattr"):
            self.check_name(node, arguments, ast.Load())
            return True
        if literal and self.is_builtin(function, "setattr", "delattr"):
            self.check_name(node, arguments, ast.Store())
            return True
        if self.is_builtin(function, "type"):
            return len(arguments) == 1 and not node.keywords
        if self.is_builtin(function, "super"):
            return not arguments and not node.keywords
        if self.is_builtin(function, "object"):
            return not arguments
        if isinstance(function, ast.Attribute):
            return self.is_special_method(node, function)
        return self.is_special_import(node)

    def check_name(
        self, node: ast.Call, arguments: list[ast.expr], context: ast.expr_context
    ) -> None:
        """Check ``getattr(x, "name")`` and the like as if it were written ``x.name``."""
        name = arguments[1]
        assert isinstance(name, ast.Constant)
        if not isinstance(name.value, str) or not name.value.isidentifier():
            raise _Refused(node, "an attribute that is not given by its name")
        self.visit(ast.copy_location(ast.Attribute(arguments[0], name.value, context), node))

    def is_special_method(self, node: ast.Call, function: ast.Attribute) -> bool:
        base, arguments = function.value, node.args
        of_object = self.is_builtin(base, "object")
        of_super = isinstance(base, ast.Call) and self.is_builtin(base.func, "super")
        if function.attr == "__new__" and (of_object or of_super):
            if of_super:
                self.visit(base)
            return len(arguments) == 1 and not node.keywords
        if function.attr == "__new__" and isinstance(base, ast.Name):
            # cls.__new__(cls): without a class of its own, what `object` does
            same = len(arguments) == 1 and ast.dump(arguments[0]) == ast.dump(base)
            return same and not node.keywords
        if function.attr in ("__init__", "__post_init__") and of_super:
            self.visit(base)
            return True
        if function.attr == "__setattr__" and of_object and len(arguments) == 3:
            if isinstance(arguments[1], ast.Constant):
                self.check_name(node, arguments, ast.Store())
                return True
            return False
        if function.attr == "format" and isinstance(base, ast.Constant):
            text = base.value
            if not isinstance(text, str) or _reads_attributes(text):
                raise _Refused(node, "a format string that reads attributes")
            return True
        return self.is_special_import(node)

    def is_special_import(self, node: ast.Call) -> bool:
        function, arguments = node.func, node.args
        root = function
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name) or self.is_local(root.id):
            return False
        if self.stands_for(function, _FOR_OWN_CLASSES):
            return self.decorating or (bool(arguments) and self.is_own_class(arguments[0]))
        if self.stands_for(function, {"functools.wraps"}):
            return self.decorating and len(arguments) == 1 and not node.keywords
        if self.stands_for(function, _TIMERS):
            return self.is_timed_call(node)
        if self.stands_for(function, {"jax.config.update"}):
            name = arguments[0] if arguments else None
            if not (isinstance(name, ast.Constant) and name.value in _SETTINGS):
                raise _Refused(node, "this setting of JAX")
        return False

    def is_timed_call(self, node: ast.Call) -> bool:
        """``timeit`` evaluates text: only a function may be timed."""
        timed = node.args[0] if len(node.args) == 1 else None
        own = (
            isinstance(timed, ast.Name)
            and timed.id in self.names.functions
            and not self.is_local(timed.id)
        )
        keywords = {keyword.arg for keyword in node.keywords} <= {"number", "repeat"}
        return keywords and (isinstance(timed, ast.Lambda) or own)

    # Functions and classes.

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.check_function(node, None)

    def check_function(self, node: ast.FunctionDef, owner: ast.ClassDef | None) -> None:
        special = node.name.startswith("__")
        if special and (owner is None or node.name not in self.names.listed.methods):
            raise _Refused(node, f"`def {node.name}`")
        self.visit_decorators(node.decorator_list)
        initialises = (
            owner is not None
            and node.name in ("__init__", "__post_init__")
            and not node.decorator_list
            and node.args.args
        )
        self_name = node.args.args[0].arg if initialises else None
        stored = {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        if self_name in stored:
            self_name = None
        decorators, node.decorator_list = node.decorator_list, []
        try:
            self.visit_scope(node, self_name)
        finally:
            node.decorator_list = decorators

    def visit_decorators(self, decorators: Sequence[ast.expr], of_class: bool = False) -> None:
        """Check decorators, where some functions are admitted that are not admitted as values."""
        for decorator in decorators:
            wraps = self.stands_for(decorator, {"functools.wraps"})
            if of_class and self.stands_for(decorator, _FOR_OWN_CLASSES):
                continue
            if of_class and self.is_partial_of_class_decorator(decorator):
                assert isinstance(decorator, ast.Call)
                for child in (*decorator.args[1:], *decorator.keywords):
                    self.visit(child)
                continue
            if wraps:
                raise _Refused(decorator, "`wraps` used as a value")
            self.decorating = isinstance(decorator, ast.Call) and (
                self.stands_for(decorator.func, {"functools.wraps"})
                or (of_class and self.stands_for(decorator.func, _FOR_OWN_CLASSES))
            )
            if self.decorating:
                assert isinstance(decorator, ast.Call)
                admitted, self.decorating = self.is_special_import(decorator), False
                if not admitted:
                    raise _Refused(decorator, f"`{ast.unparse(decorator.func)}` in this form")
                for child in (*decorator.args, *decorator.keywords):
                    self.visit(child)
            else:
                self.visit(decorator)

    def is_partial_of_class_decorator(self, node: ast.expr) -> bool:
        return (
            isinstance(node, ast.Call)
            and self.stands_for(node.func, {"functools.partial"})
            and bool(node.args)
            and self.stands_for(node.args[0], _FOR_OWN_CLASSES)
        )

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        if node.keywords:
            raise _Refused(node, "keywords of a class")
        for base in node.bases:
            self.check_base(base)
        self.visit_decorators(node.decorator_list, of_class=True)
        self.scopes.append((_bound(ast.Module(node.body, [])), True))
        self.initialised.append(None)
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                self.check_function(statement, node)
            else:
                self.check_class_statement(statement)
        self.scopes.pop()
        self.initialised.pop()

    def check_base(self, base: ast.expr) -> None:
        named = base.value if isinstance(base, ast.Subscript) else base  # Generic[T]
        allowed = (
            self.is_own_class(named)
            or self.is_builtin(named, *_BUILTIN_BASES)
            or (
                isinstance(named, ast.Name)
                and self.is_builtin(named, named.id)
                and _is_error(named.id)
            )
            or self.stands_for(named, _BASES)
        )
        if not allowed:
            raise _Refused(base, f"a class derived from `{ast.unparse(named)}`")
        if isinstance(base, ast.Subscript):
            self.visit(base.slice)

    def check_class_statement(self, statement: ast.stmt) -> None:
        for name in _bound(ast.Module([statement], [])):
            if name.startswith("__") and name not in self.names.listed.class_names:
                raise _Refused(statement, f"`{name}` in a class")
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        special = [t for t in targets if isinstance(t, ast.Name) and t.id.startswith("__")]
        for child in ast.iter_child_nodes(statement):
            if child not in special:
                self.visit(child)

    # Statements.

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        if node.type is None:
            raise _Refused(node, "`except:` without a class")
        self.generic_visit(node)

    def visit_Try(self, node: ast.Try) -> None:
        for statement in node.finalbody:
            for inner in ast.walk(statement):
                if isinstance(inner, (ast.Return, ast.Break, ast.Continue)):
                    raise _Refused(inner, "`finally` that ends in a jump")
        self.generic_visit(node)


def _is_error(name: str) -> bool:
    found = vars(builtins).get(name)
    return isinstance(found, type) and issubclass(found, Exception)


def _reads_attributes(text: str) -> bool:
    """Whether a format string reads attributes or elements of what it formats."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return False  # formatting it fails
    return any("." in (name or "") or "[" in (name or "") for _, name, _, _ in fields) or any(
        "{" in (spec or "") for _, _, spec, _ in fields
    )
