"""Reads the source: functions, scopes, and statements that change something outside.

The source alone decides nothing: a cache may be filled once only, and under jit, an argument that
is changed is a copy. The source shows what no run can show, and gives line numbers.
"""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from types import CodeType, ModuleType

from autograder.core.student_code import source_text
from autograder.criteria.purity.student import StudentModule

_METHODS = """
    append extend insert pop popitem update clear remove setdefault add discard sort reverse
    fill appendleft extendleft popleft rotate put __setitem__ __delitem__ __setattr__ move_to_end
    difference_update intersection_update symmetric_difference_update itemset resize put_nowait
    write writelines
"""
MUTATORS = frozenset(_METHODS.split())
CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__setstate__")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@functools.lru_cache(maxsize=64)
def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def trees(student: StudentModule) -> dict[str, ast.Module]:
    found = {name: _parse(source_text(name)) for name in sorted(student.files)}
    return {name: tree for name, tree in found.items() if tree is not None and tree.body}


class Function:
    """One `def` or `lambda` with its scope; `in_class` names the class whose method it is."""

    def __init__(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        filename: str,
        outer: Function | None,
        in_class: str | None,
    ) -> None:
        self.node, self.filename, self.outer, self.in_class = node, filename, outer, in_class
        self.bound: set[str] = set()
        self.declared_global: set[str] = set()
        self.declared_nonlocal: set[str] = set()
        args = node.args
        self.positional = [a.arg for a in (*args.posonlyargs, *args.args)]
        others = [*args.kwonlyargs, args.vararg, args.kwarg]
        self.params = {*self.positional, *(a.arg for a in others if a is not None)}
        for item in own_nodes(node):
            if isinstance(item, ast.Global):
                self.declared_global |= set(item.names)
            elif isinstance(item, ast.Nonlocal):
                self.declared_nonlocal |= set(item.names)
            elif isinstance(item, ast.Name) and isinstance(item.ctx, (ast.Store, ast.Del)):
                self.bound.add(item.id)
            elif isinstance(item, (ast.FunctionDef, ast.ClassDef)):
                self.bound.add(item.name)
            elif isinstance(item, (ast.Import, ast.ImportFrom)):
                self.bound |= {(a.asname or a.name).split(".")[0] for a in item.names}
            elif isinstance(item, ast.ExceptHandler) and item.name:
                self.bound.add(item.name)
        self.bound -= self.declared_global

    @property
    def first_line(self) -> int:
        decorators = getattr(self.node, "decorator_list", [])
        return min([self.node.lineno] + [d.lineno for d in decorators])

    @property
    def name(self) -> str:
        return getattr(self.node, "name", "<lambda>")

    def default(self, name: str) -> ast.expr | None:
        """Return the default of a parameter, if it has one."""
        args = self.node.args
        positional = zip(reversed(self.positional), reversed(args.defaults), strict=False)
        keywords = zip((a.arg for a in args.kwonlyargs), args.kw_defaults, strict=True)
        return {**dict(positional), **dict(keywords)}.get(name)

    def owner(self, name: str) -> Function | None:
        """Return the function whose local variable `name` is; None for a global."""
        if name in self.declared_global:
            return None
        here: Function | None = self
        if name in self.declared_nonlocal:
            here = self.outer
        while here is not None:
            if name in here.params or (name in here.bound and name not in here.declared_nonlocal):
                return here if name not in here.declared_global else None
            here = here.outer
        return None

    def matches(self, code: CodeType) -> bool:
        return (
            code.co_filename == self.filename
            and code.co_firstlineno in (self.first_line, self.node.lineno)
            and code.co_name == self.name
        )


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function's own body, without those of nested functions and classes."""
    body = getattr(node, "body", [])
    todo: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while todo:
        item = todo.pop(0)
        yield item
        if not isinstance(item, (*_FUNCTIONS, ast.ClassDef)):
            todo[:0] = list(ast.iter_child_nodes(item))


def functions(student: StudentModule) -> list[Function]:
    found: list[Function] = []

    def visit(node: ast.AST, filename: str, outer: Function | None, cls: str | None) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, _FUNCTIONS):
                function = Function(child, filename, outer, cls)
                found.append(function)
                visit(child, filename, function, None)
            elif isinstance(child, ast.ClassDef):
                visit(child, filename, outer, child.name)
            else:
                visit(child, filename, outer, cls)

    for filename, tree in trees(student).items():
        visit(tree, filename, None, None)
    return found


@dataclass(frozen=True)
class Mutation:
    """A statement that changes something that is not a local object of its function."""

    function: Function
    line: int
    root: str
    chain: tuple[str, ...]
    how: str

    @property
    def location(self) -> tuple[str, int]:
        return self.function.filename, self.line


def chain_of(node: ast.AST) -> tuple[str, ...] | None:
    """Spell `a.b[0].c` as ("a", ".b", "[]", ".c"); None when it does not start at a name."""
    parts: list[str] = []
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        parts.append(f".{node.attr}" if isinstance(node, ast.Attribute) else "[]")
        node = node.value
    return (node.id, *reversed(parts)) if isinstance(node, ast.Name) else None


def targets(node: ast.AST) -> list[ast.AST]:
    """List what a statement assigns to or deletes; each part of a tuple counts."""
    found: list[ast.AST]
    if isinstance(node, (ast.Assign, ast.Delete)):
        found = list(node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is None:
        return []
    elif isinstance(
        node, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.comprehension)
    ):
        found = [node.target]
    elif isinstance(node, ast.With):
        found = [item.optional_vars for item in node.items if item.optional_vars]
    else:
        return []
    flat: list[ast.AST] = []
    while found:
        target = found.pop(0)
        if isinstance(target, (ast.Tuple, ast.List)):
            found[:0] = target.elts
        elif isinstance(target, ast.Starred):
            found.insert(0, target.value)
        else:
            flat.append(target)
    return flat


def stores(nodes: Iterator[ast.AST]) -> Iterator[tuple[int, tuple[str, ...], str, ast.AST]]:
    """Yield (line, chain, how, node) of assignments and of calls of mutating methods."""
    for node in nodes:
        for target in targets(node):
            chain = chain_of(target)
            if chain:
                yield getattr(node, "lineno", target.lineno), chain, "assigned", node  # type: ignore[attr-defined]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            chain = chain_of(node.func.value)
            if node.func.attr in MUTATORS and chain and ".at" not in chain:
                yield node.lineno, chain, node.func.attr, node


def mutations(function: Function) -> list[Mutation]:
    """List what a function's own body changes: globals, outer variables, parameters."""
    found = []
    aliases = _aliases(function)
    for line, chain, how, _ in stores(own_nodes(function.node)):
        root = chain[0]
        rebinding = how == "assigned" and len(chain) == 1
        if rebinding and root not in function.declared_global | function.declared_nonlocal:
            continue
        local = function.owner(root) is function and root not in function.params | aliases
        if not rebinding and local:
            continue
        found.append(Mutation(function, line, root, chain, how))
    return found


def _aliases(function: Function) -> set[str]:
    """Return the local variables that may be another name of an object: `log = LOG`."""
    return {
        target.id
        for node in own_nodes(function.node)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.Name)
        for target in targets(node)
        if isinstance(target, ast.Name)
    }


def stores_attribute(student: StudentModule, name: str) -> int | None:
    """Find the first line that assigns to an attribute of this name (`setattr` included)."""
    for tree in trees(student).values():
        for node in ast.walk(tree):
            for target in targets(node):
                if isinstance(target, ast.Attribute) and target.attr == name:
                    return target.lineno
            if isinstance(node, ast.Call) and chain_of(node.func) in (("setattr",),):
                texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
                if name in texts:
                    return node.lineno
    return None


def assigns_to(student: StudentModule, module: ModuleType, name: str) -> bool:
    """Check whether the source assigns to this name of this module, or of something unknown.

    An attribute of the same name of another object is another attribute: `self.filters = ...`.
    """
    for tree in trees(student).values():
        for node in ast.walk(tree):
            owners = [t.value for t in targets(node) if isinstance(t, ast.Attribute)]
            names = [t.attr for t in targets(node) if isinstance(t, ast.Attribute)]
            if isinstance(node, ast.Call) and chain_of(node.func) == ("setattr",) and node.args:
                owners, names = [node.args[0]], [name]
            found = [o for o, each in zip(owners, names, strict=True) if each == name]
            if any(_may_be(student, tree, owner, module) for owner in found):
                return True
    return False


def _may_be(student: StudentModule, tree: ast.Module, owner: ast.AST, module: ModuleType) -> bool:
    """Check whether an expression is a module; one that does not start at a name may be any."""
    chain = chain_of(owner)
    if chain is None:
        return True
    value = student.namespace.get(chain[0]) or _imported(tree, chain[0])
    for part in chain[1:]:
        value = getattr(value, part[1:], None) if isinstance(value, ModuleType) else None
    return value is module


def _imported(tree: ast.Module, name: str) -> ModuleType | None:
    """Return the module that a function of the file imports under a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if (alias.asname or alias.name.split(".")[0]) == name:
                    whole = alias.name if alias.asname else name
                    return sys.modules.get(whole)
    return None


def find_executed(known: list[Function], codes: Collection[CodeType]) -> list[Function]:
    return [f for f in known if any(f.matches(code) for code in codes)]


def reader_line(student: StudentModule, codes: Collection[CodeType], name: str) -> int | None:
    """Find the first line, in functions that ran, that reads a variable or attribute `name`."""
    lines = [
        node.lineno
        for function in find_executed(functions(student), codes)
        for node in own_nodes(function.node)
        if (isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load))
        or (isinstance(node, ast.Attribute) and node.attr == name)
    ]
    return min(lines, default=None)
