"""What the names of a submission stand for, by Python's own rules of scope."""

from __future__ import annotations

import ast
import builtins
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from autograder.grading.allow_list.listed import Listed, read_list

Function = ast.FunctionDef | ast.Lambda
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

INITIALISERS = ("__init__", "__post_init__")  # nobody else calls them, with another object

_PAIRING = {"zip": 0, "enumerate": 1}  # where the elements of the first argument are

_SCOPES = (*FUNCTIONS, ast.ClassDef)


def _own_nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """The nodes that bind names in the scope itself, not in one inside it."""
    todo = list(body)
    while todo:
        node = todo.pop()
        yield node
        if isinstance(node, COMPREHENSIONS):
            yield from _walrus_targets(node)
            todo.append(node.generators[0].iter)
        else:
            todo += outside(node) if isinstance(node, _SCOPES) else ast.iter_child_nodes(node)


def outside(scope: ast.AST) -> list[ast.AST]:
    """Return what a definition evaluates in the scope around it."""
    if isinstance(scope, ast.ClassDef):
        return [*scope.decorator_list, *scope.bases, *scope.keywords]
    assert isinstance(scope, FUNCTIONS)
    given = scope.args
    found: list[ast.AST | None] = [*given.defaults, *given.kw_defaults]
    if not isinstance(scope, ast.Lambda):
        found += [*scope.decorator_list, *annotations_of(scope)]
    return [node for node in found if node is not None]


def _parameters_of(function: Function | ast.AsyncFunctionDef) -> list[ast.arg]:
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    return [argument for argument in every if argument is not None]


def annotations_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    """Return the annotations of a function's parameters and of its result."""
    found = [argument.annotation for argument in _parameters_of(function)] + [function.returns]
    return [annotation for annotation in found if annotation is not None]


def _walrus_targets(node: ast.AST) -> Iterator[ast.Name]:
    """The targets of `:=` in a comprehension: the scope around it binds them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.NamedExpr):
            yield child.target
        if not isinstance(child, FUNCTIONS):
            yield from _walrus_targets(child)


def binds(node: ast.AST) -> set[str]:
    """Return the names that one node binds, definitions and imports apart."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return {name}
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
            return {name}
        case ast.MatchStar(name=str(name)) | ast.MatchMapping(rest=str(name)):
            return {name}
    return set()


def bound_by(body: Iterable[ast.AST]) -> set[str]:
    """Return the names that a body binds, imports apart."""
    body = list(body)
    names: set[str] = set()
    for node in _own_nodes(body):
        names |= binds(node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
    return names - declared(body, ast.Global) - declared(body, ast.Nonlocal)


def declared(body: Iterable[ast.AST], kind: type[ast.Global | ast.Nonlocal]) -> set[str]:
    """Return the names that a body declares `global` or `nonlocal`."""
    return {n for node in _own_nodes(body) if isinstance(node, kind) for n in node.names}


def bound_in(function: Function) -> set[str]:
    """Return the names that are local to a function."""
    body = [function.body] if isinstance(function, ast.Lambda) else function.body
    # A parameter cannot be declared `global` or `nonlocal`.
    return bound_by(body) | {argument.arg for argument in _parameters_of(function)}


def bound_by_comprehension(node: Comprehension) -> set[str]:
    """Return the names that are local to a comprehension."""
    targets = [generator.target for generator in node.generators]
    return {name for target in targets for node in ast.walk(target) for name in binds(node)}


def imports_in(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that imports bind, each with the dotted name it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.split(".")[0]
                yield alias.asname or whole, whole
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def assigned_once(nodes: Iterable[ast.AST]) -> dict[str, ast.expr]:
    """Return the names that these nodes bind once, by a plain assignment, each with its value."""
    values: dict[str, ast.expr] = {}
    bound: Counter[str] = Counter()
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                values[name] = value
        bound.update(binds(node))
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            bound[node.name] += 1
        if isinstance(node, (ast.Nonlocal, ast.Global)):
            bound.update([*node.names, *node.names])
    return {name: value for name, value in values.items() if bound[name] == 1}


def keys_of(node: ast.expr) -> set[str] | None:
    """Return the keys of a dictionary as it is written; None if they are computed."""
    keys = node.keys if isinstance(node, ast.Dict) else [None]
    texts = {key.value for key in keys if isinstance(key, ast.Constant)}
    plain = all(isinstance(key, ast.Constant) and isinstance(key.value, str) for key in keys)
    return {str(text) for text in texts} if plain else None


def _loops(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The names that a loop binds, each with what its values are the elements of."""
    if not isinstance(node, (ast.For, ast.comprehension)):
        return
    pairs = [(node.target, node.iter)]
    match node:
        case ast.For(target=ast.Tuple(elts), iter=ast.Call(ast.Name(function), given)) | (
            ast.comprehension(target=ast.Tuple(elts), iter=ast.Call(ast.Name(function), given))
        ):
            if any(isinstance(part, ast.Starred) for part in (*elts, *given)):
                return
            if function in _PAIRING:
                pairs = list(zip(elts[_PAIRING[function] :], given, strict=False))
    for target, values in pairs:
        if isinstance(target, ast.Name):
            yield target.id, values


First = Literal["", "object", "new object", "class"]
"""What a method's first parameter holds, if nothing else can: an object of the student's own class,
one that is being initialised, or the class."""


class PrivateNames(ast.NodeTransformer):
    """Spells private names in classes as Python does: `__x` in the class `A` is `_A__x`."""

    prefix = ""

    def _spell(self, name: str) -> str:
        is_private = name.startswith("__") and not name.endswith("__")
        return f"_{self.prefix}{name}" if self.prefix and is_private else name

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        outer, prefix = self.prefix, node.name.lstrip("_")
        for part in outside(node):
            self.visit(part)
        node.name = self._spell(node.name)
        self.prefix = prefix
        for statement in node.body:
            self.visit(statement)
        self.prefix = outer
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self._spell(node.name)
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        node.attr = self._spell(node.attr)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._spell(node.id)
        return node


@dataclass(frozen=True)
class Scope:
    """A function, comprehension or class body around a node.

    Attributes:
        bound: the names it binds.
        elsewhere: the names that it declares `global`.
        of_class: whether it is a class body, whose names are not seen in functions inside it.
        first: what the first parameter holds, and its name.
        parameters: the names of all parameters.
        made: names assigned once, from a new object of the student's own.
        functions: names of functions defined once, which nothing but ``wraps`` decorates.
    """

    bound: set[str]
    elsewhere: set[str] = field(default_factory=set)
    of_class: bool = False
    first: tuple[First, str] = ("", "")
    parameters: frozenset[str] = frozenset()
    made: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()


@dataclass
class Names:
    """What the global names of a submission may stand for, over all its cells.

    Attributes:
        listed: the allow-list.
        imported: dotted names by the name that an import binds.
        bound: names bound in another way.
        classes, functions: definitions by name; one name may have several.
        own: attributes that the student's classes and assignments define.
        changing: methods that set attributes of their first parameter.
        special: special names that class bodies set.
        spreads: whether a call is given options by names that are computed.
    """

    listed: Listed = field(default_factory=read_list)
    imported: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    bound: set[str] = field(default_factory=set)
    classes: dict[str, list[ast.ClassDef]] = field(default_factory=lambda: defaultdict(list))
    functions: dict[str, list[ast.FunctionDef]] = field(default_factory=lambda: defaultdict(list))
    own: set[str] = field(default_factory=set)
    changing: set[str] = field(default_factory=set)
    special: set[str] = field(default_factory=set)
    spreads: bool = False
    _loops: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    _assigned: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    _bindings: Counter[str] = field(default_factory=Counter)
    _loads: Counter[str] = field(default_factory=Counter)
    _rebound: set[str] = field(default_factory=set)

    def collect(self, tree: ast.Module) -> None:
        """Add the names of one cell."""
        self.bound |= bound_by(tree.body)
        for name, dotted in imports_in(tree):
            self.imported[name].add(dotted)
        for node in _own_nodes(tree.body):
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name].append(node)
            elif isinstance(node, ast.ClassDef):
                self.classes[node.name].append(node)
            else:
                self._rebound |= binds(node)
        for name, value in assigned_once(_own_nodes(tree.body)).items():
            self._assigned[name].append(value)
        for node in ast.walk(tree):
            self._count(node)
            if isinstance(node, ast.Global):
                self.bound.update(node.names)
                self._rebound.update(node.names)
            elif isinstance(node, ast.ClassDef):
                self._add_own(bound_by(node.body))
                self.special.update(n for n in bound_by(node.body) if n.startswith("__"))
                self.changing.update(_changing(node))
            elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                self._add_own([node.attr])
            elif isinstance(node, ast.Call):
                self._add_own(_named_attributes(node))
                self.spreads |= any(not k.arg and keys_of(k.value) is None for k in node.keywords)

    def _count(self, node: ast.AST) -> None:
        self._bindings.update(binds(node))
        if isinstance(node, ast.arg):
            self._bindings[node.arg] += 1
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            self._bindings[node.name] += 1
        elif isinstance(node, ast.alias):
            self._bindings[node.asname or node.name.split(".")[0]] += 1
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            self._loads[node.id] += 1
        for name, values in _loops(node):
            self._loops[name].append(values)

    def assigned(self, name: str) -> ast.expr | None:
        """Return what a cell assigns to a name, if nothing else binds it anywhere."""
        values = self._assigned.get(name, [])
        return values[0] if len(values) == 1 == self._bindings[name] else None

    def texts_of(self, node: ast.expr) -> set[str] | None:
        """Return the texts that an expression may stand for; None if they are not constants."""
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) else None
        loops = self._loops.get(node.id, []) if isinstance(node, ast.Name) else []
        if not isinstance(node, ast.Name) or len(loops) != self._bindings[node.id]:
            return None
        if any(self._bindings[name] for name in _PAIRING):
            return None
        found = [self.texts_in(values) for values in loops]
        return {text for texts in found for text in texts or ()} if all(found) else None

    def texts_in(self, node: ast.expr) -> set[str] | None:
        """Return the texts in a list as it is written, or has a name and nothing changes it."""
        if isinstance(node, ast.Name):
            value = self.assigned(node.id)
            if not isinstance(value, ast.Tuple) and self._loads[node.id] != 1:
                return None
            node = value or node
        texts = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
        found = {t.value for t in texts if isinstance(t, ast.Constant) and isinstance(t.value, str)}
        return found if found and len(found) == len(texts) else None

    def _add_own(self, names: Iterable[str]) -> None:
        self.own.update(
            n for n in names if not n.startswith("__") and n not in self.listed.reserved
        )

    def modules(self, name: str) -> set[str]:
        """Return the modules that a global name may stand for."""
        return {d for d in self.imported.get(name, ()) if self.listed.is_module(d)}

    def is_defined_once(self, name: str) -> bool:
        """Whether a name stands for functions or classes of the student's own, and nothing else."""
        several = name in self.classes and name in self.functions
        # A built-in name has its own value until a definition has run.
        other = self._rebound | self.imported.keys() | vars(builtins).keys()
        return not several and name not in other


def is_setter(decorator: ast.expr) -> bool:
    """Whether a decorator makes a property: then nothing calls the method with another object."""
    return isinstance(decorator, ast.Attribute) and decorator.attr == "setter"


def _changing(node: ast.ClassDef) -> Iterator[str]:
    """The methods of a class that can set attributes of their first parameter, and be called."""
    for method in node.body:
        if not isinstance(method, ast.FunctionDef) or method.name in INITIALISERS:
            continue
        if any(map(is_setter, method.decorator_list)):
            continue
        first = {argument.arg for argument in _parameters_of(method)[:1]}
        for inner in ast.walk(method):
            match inner:
                case ast.Attribute(value=ast.Name(name), ctx=ast.Store() | ast.Del()):
                    changes = name in first
                case ast.Call():
                    changes = any(_named_attributes(inner)) or _is_setting(inner)
                case _:
                    changes = False
            if changes:
                yield method.name


def _is_setting(node: ast.Call) -> bool:
    called = getattr(node.func, "id", getattr(node.func, "attr", ""))
    return called in ("setattr", "delattr", "__setattr__")


def _named_attributes(node: ast.Call) -> Iterator[str]:
    """The attributes that a call defines by their names: `setattr` and named tuples."""
    called = (
        node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    )
    if called == "SimpleNamespace":
        yield from (keyword.arg for keyword in node.keywords if keyword.arg)
    if len(node.args) < 2:
        return
    given = node.args[1]
    text = given.value if isinstance(given, ast.Constant) else None
    if called in ("setattr", "__setattr__") and isinstance(text, str):
        yield text
    elif called == "namedtuple" and isinstance(text, str):
        yield from text.replace(",", " ").split()
    elif called in ("namedtuple", "NamedTuple") and isinstance(given, (ast.List, ast.Tuple)):
        for element in given.elts:
            first = element.elts[0] if isinstance(element, ast.Tuple) and element.elts else element
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value
