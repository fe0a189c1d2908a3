"""Proves from the source, where that is possible, that calls of a function have no effects.

A function is effect-free if it, and all it calls, only binds its own variables, reads values that
nothing changes, and calls public functions of JAX, NumPy and Python that compute. Then running it
in every mode can show nothing. The proof lists what is allowed: anything else, and anything that is
not known for sure, leaves the function unproven, which says nothing against it.
"""

from __future__ import annotations

import ast
import types

import jax
import numpy as np
import optax

from autograder.core import jax_access
from autograder.core.student_code import bound_names, compiled, source_text
from autograder.criteria.purity.computing import MODULES, TRANSFORMS, computes
from autograder.criteria.purity.source import (
    MUTATORS,
    Function,
    functions,
    own_nodes,
    stores,
    trees,
)
from autograder.criteria.purity.student import StudentModule

_ALLOWED = (
    *(ast.arguments, ast.arg, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
    *(ast.Assign, ast.AnnAssign, ast.Return, ast.Expr, ast.If, ast.For, ast.While, ast.Pass),
    *(ast.Break, ast.Continue, ast.Assert, ast.Raise, ast.Constant, ast.Name, ast.Tuple, ast.List),
    *(ast.Dict, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.IfExp, ast.Subscript, ast.Slice),
    *(ast.Starred, ast.keyword, ast.comprehension, ast.ListComp, ast.DictComp, ast.GeneratorExp),
)
"""Nodes that do nothing but what their parts do."""

_BUILTIN_NAMES = """
    len range zip enumerate min max sum abs float int bool complex tuple list dict sorted reversed
    any all map filter round divmod pow slice Exception NotImplementedError ValueError TypeError
    AssertionError RuntimeError ArithmeticError IndexError KeyError
"""
_BUILTINS = frozenset(_BUILTIN_NAMES.split())

_METHOD_NAMES = """
    T mT at real imag shape ndim size dtype itemsize nbytes all any argmax argmin argsort astype
    clip conj conjugate copy cumprod cumsum diagonal dot flatten max mean min nonzero prod ptp ravel
    repeat reshape round sort squeeze std sum swapaxes take trace transpose var view
    _replace _asdict values get index count
"""
_METHODS = frozenset(_METHOD_NAMES.split())
"""Attributes of arrays and of built-in containers. What changes a container is checked apart."""

_OF_ARRAYS = (
    frozenset(dir(jax.Array)) | frozenset(dir(jax_access.Tracer)) | frozenset(dir(np.ndarray))
)
"""Others of these could tell a tracer from an array."""

_REFLECTING = {"setattr", "delattr", "getattr", "vars", "globals", "locals", "exec", "eval"}
_OF_AT = {"set", "add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"}
_PLAIN_DECORATORS = {"dataclass", "register_dataclass"}
_MAKING = {"NamedTuple", "partial", *_PLAIN_DECORATORS}
_THEIR_MODULES = {"typing", "functools", "dataclasses", "jax.tree_util"}
_PLAIN = (bool, int, float, complex, str, type(None), np.generic, np.dtype)
_OPTIMIZERS = (optax.GradientTransformation, optax.GradientTransformationExtraArgs)


class _UnprovenError(Exception):
    """Something is not known to have no effect."""


def is_effect_free(function: object, module: types.ModuleType) -> bool:
    """Return whether the source proves that calls of a student's function have no effects.

    Args:
        function: the student's: plain or jitted.
        module: the module that the student's code ran in.
    """
    try:
        proof = _Proof(StudentModule.of(module, function))
        proof.check_callable(function)
        while proof.todo:
            proof.check_function(proof.todo.pop())
    except (_UnprovenError, RecursionError):
        return False
    return True


class _Proof:
    """Checks functions one by one; those that they call are added to `todo`."""

    def __init__(self, student: StudentModule) -> None:
        self.student = student
        self.known = functions(student)
        self.todo: list[Function] = []
        self._checked: set[ast.AST] = set()
        parsed = trees(student)
        everything = list(parsed.values())
        # What runs must be what the source says: linecache may hold an older one, or a made-up one.
        self._codes = {
            code for filename in parsed for code in compiled(source_text(filename), filename)
        }
        nodes = [node for tree in everything for node in ast.walk(tree)]
        if not all(map(_is_plain, nodes)):
            raise _UnprovenError
        self._classes = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
        self._changed = _changed_names(everything, self.known)

    # --- values that exist already ----------------------------------------------------------------

    def check_callable(self, value: object) -> None:
        """Check a function of the student's that is about to be called."""
        plain = getattr(value, "__wrapped__", None) if type(value) is jax_access.Jitted else value
        if type(plain) is not types.FunctionType or plain.__closure__:
            raise _UnprovenError
        for default in (*(plain.__defaults__ or ()), *(plain.__kwdefaults__ or {}).values()):
            self._check_data(default)
        matching = [f for f in self.known if f.matches(plain.__code__)]
        if len(matching) != 1 or plain.__globals__ is not self.student.namespace:
            raise _UnprovenError
        if plain.__code__ not in self._codes:
            raise _UnprovenError
        if matching[0].node not in self._checked:
            self.todo.append(matching[0])

    def _check_data(self, value: object, levels: int = 3) -> None:
        """Check a value that nobody can change."""
        if isinstance(value, tuple) and levels:
            for part in value:
                self._check_data(part, levels - 1)
        elif not (type(value) in _PLAIN or isinstance(value, (np.generic, np.dtype, jax.Array))):
            raise _UnprovenError

    def _check_global(self, name: str) -> None:
        if name in self._changed:
            raise _UnprovenError
        namespace = self.student.namespace
        if name not in namespace:
            if name not in _BUILTINS:
                raise _UnprovenError
            return
        value = namespace[name]
        if computes(value):
            return
        if isinstance(value, type):
            if value.__name__ not in self._classes or not self.student.owns_type(value):
                raise _UnprovenError
        elif type(value) in _OPTIMIZERS:
            self._check_optimizer(value)
        elif callable(value) and not isinstance(value, jax.Array):
            self.check_callable(value)
        else:
            self._check_data(value)

    def _check_optimizer(self, value: object, levels: int = 12) -> None:
        """Check that no function of the student's is inside, such as a learning-rate schedule."""
        if isinstance(value, (tuple, list)) and levels:
            for part in value:
                self._check_optimizer(part, levels - 1)
        elif type(value) is types.FunctionType and levels:
            if self.student.owns_function(value):
                raise _UnprovenError
            cells = [cell.cell_contents for cell in value.__closure__ or ()]
            self._check_optimizer((*cells, *(value.__defaults__ or ())), levels - 1)
        elif not (isinstance(value, type) or computes(value)):
            self._check_data(value)

    # --- source -----------------------------------------------------------------------------------

    def check_function(self, function: Function) -> None:
        """Check the body, defaults and decorators of a function, and of those inside it."""
        if function.node in self._checked:
            return
        self._checked.add(function.node)
        if function.declared_global or function.declared_nonlocal:
            raise _UnprovenError
        node = function.node
        if isinstance(node, ast.AsyncFunctionDef):
            raise _UnprovenError
        for decorator in getattr(node, "decorator_list", ()):
            if not self._is_transform(decorator, function):
                raise _UnprovenError
        given = node.args
        for default in (*given.defaults, *filter(None, given.kw_defaults)):
            if not isinstance(default, ast.Constant):
                self._check_parts(default, function)
        body = node.body if isinstance(node.body, list) else [node.body]
        for part in body:
            self._check(part, function)

    def _inner(self, node: ast.AST) -> Function:
        return next(f for f in self.known if f.node is node)

    def _check_parts(self, node: ast.AST, here: Function) -> None:
        for child in ast.iter_child_nodes(node):
            self._check(child, here)

    def _check(self, node: ast.AST, here: Function) -> None:
        match node:
            case ast.FunctionDef() | ast.Lambda():
                self.check_function(self._inner(node))
                return
            case ast.AnnAssign(target=target, value=value):  # annotations compute nothing
                self._check(target, here)
                if value is not None:
                    self._check(value, here)
                return
            case ast.Constant(value=str(text)) if "%" in text:
                raise _UnprovenError  # it may be a format, which shows tracers otherwise
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                if not self._is_new(name, here):
                    raise _UnprovenError
                self._check(value, here)
                return
            case ast.Compare(ops=ops, comparators=right):
                for op, other in zip(ops, right, strict=True):
                    identity = isinstance(op, (ast.Is, ast.IsNot))
                    if identity and not (isinstance(other, ast.Constant) and other.value is None):
                        raise _UnprovenError
                self._check_parts(node, here)
                return
            case ast.Name(id=name, ctx=ast.Load()):
                if here.owner(name) is None:
                    self._check_global(name)
                return
            case ast.Attribute():
                self._check_attribute(node, here)
                return
            case ast.For() | ast.comprehension():  # otherwise, views of dictionaries may make sets
                for child in ast.iter_child_nodes(node):
                    self._check(_without_view(child) if child is node.iter else child, here)
                return
            case ast.Call():
                self._check_call(node, here)
                return
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
                if not (isinstance(value, ast.Name) and self._is_own_container(value.id, here)):
                    raise _UnprovenError
        if not isinstance(node, _ALLOWED):
            raise _UnprovenError
        self._check_parts(node, here)

    def _check_attribute(self, node: ast.Attribute, here: Function) -> None:
        """Check what is read from a module, from an array or a container, or from a field."""
        if not isinstance(node.ctx, ast.Load):
            raise _UnprovenError
        if self._find_public(node, here) is not None:
            return
        if node.attr not in _METHODS and (node.attr.startswith("_") or node.attr in _OF_ARRAYS):
            raise _UnprovenError
        if isinstance(node.value, ast.Name) and here.owner(node.value.id) is None:
            value = self.student.namespace.get(node.value.id)
            if callable(value) and not isinstance(value, jax.Array):
                raise _UnprovenError  # an attribute of a function or a class
            if isinstance(value, types.ModuleType):
                raise _UnprovenError
        self._check(node.value, here)

    def _check_call(self, node: ast.Call, here: Function) -> None:
        called = node.func
        for part in (*node.args, *node.keywords):
            self._check(part, here)
        if any(k.arg == "out" for k in node.keywords):  # NumPy would write into it
            raise _UnprovenError
        match called:
            case ast.Name(id=name):
                owner = here.owner(name)
                if owner is not None:
                    self._check_local_callable(name, owner)
                self._check(called, here)
            case ast.Call():
                if not self._is_transform(called.func, here):
                    raise _UnprovenError
                self._check(called, here)
            case ast.Attribute(value=ast.Subscript(value=ast.Attribute(attr="at"))) if (
                called.attr in _OF_AT
            ):
                self._check(called.value, here)
            case ast.Attribute():
                if self._find_public(called, here) is None:
                    self._check_method(called, here)
            case _:
                raise _UnprovenError

    def _check_method(self, called: ast.Attribute, here: Function) -> None:
        """Check a call of a method of a value: of an array, a container or an optimizer."""
        name, value = called.attr, called.value
        optimizer = name in ("init", "update") and self._is_optimizer(value, here)
        own = isinstance(value, ast.Name) and self._is_own_container(value.id, here)
        if not (optimizer or (own if name in MUTATORS else name in _METHODS)):
            raise _UnprovenError
        self._check(value, here)

    def _check_local_callable(self, name: str, owner: Function) -> None:
        """Check a local variable that is called: a function defined there, or made by JAX."""
        values = _values_of(name, owner)
        for value in values or ():
            made = isinstance(value, ast.Call) and self._is_transform(value.func, owner)
            if not (made or isinstance(value, (ast.FunctionDef, ast.Lambda))):
                raise _UnprovenError
        if not values:
            raise _UnprovenError

    def _is_transform(self, node: ast.expr, here: Function) -> bool:
        """Whether this makes a function of another: `jax.jit`, `partial(jax.jit, ...)`."""
        if isinstance(node, ast.Call):
            given = [*node.args, *(k.value for k in node.keywords)]
            for part in given:
                self._check(part, here)
            return self._is_transform(node.func, here)
        value = self._find_public(node, here)
        return any(value is one for one in TRANSFORMS)

    def _is_optimizer(self, node: ast.expr, here: Function) -> bool:
        if not isinstance(node, ast.Name):
            return False
        if here.owner(node.id) is None:
            return type(self.student.namespace.get(node.id)) in _OPTIMIZERS
        owner = here.owner(node.id)
        assert owner is not None
        values = _values_of(node.id, owner)
        made = [isinstance(v, ast.Call) and self._find_public(v.func, owner) for v in values or ()]
        return bool(made) and all(getattr(m, "__module__", "").startswith("optax") for m in made)

    def _find_public(self, node: ast.expr, here: Function) -> object | None:
        """Return the function or constant that a dotted name stands for, if it computes."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or here.owner(node.id) is not None:
            return None
        if node.id in self._changed:
            return None
        value = self.student.namespace.get(node.id)
        for part in reversed(parts):
            if not isinstance(value, types.ModuleType) or value.__name__ not in MODULES:
                return None
            value = vars(value).get(part) or getattr(value, part, None)
        return value if computes(value) else None

    def _is_new(self, name: str, here: Function) -> bool:
        """Whether a local variable only ever holds what the function itself has computed."""
        values = _values_of(name, here)
        return bool(values) and all(
            isinstance(v, (ast.Constant, ast.BinOp, ast.UnaryOp, ast.List))
            or (isinstance(v, ast.Call) and self._makes_jax_array(v, here))
            for v in values or ()
        )

    def _makes_jax_array(self, call: ast.Call, here: Function) -> bool:
        value = self._find_public(call.func, here)
        return value is not None and getattr(value, "__module__", "").startswith("jax")

    def _is_own_container(self, name: str, here: Function) -> bool:
        """Whether a local variable of this function only ever holds a list or dict made here."""
        values = _values_of(name, here)
        made = (ast.List, ast.Dict, ast.ListComp, ast.DictComp)
        return bool(values) and all(isinstance(value, made) for value in values or ())


def _values_of(name: str, here: Function) -> list[ast.AST] | None:
    """Return all that a function's own variable is bound to; None where that is not plain."""
    if name in here.params or here.owner(name) is not here:
        return None
    values: list[ast.AST] = []
    bound = 0
    for node in own_nodes(here.node):
        bound += name in _binds(node)
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                values.append(value)
            case ast.AnnAssign(target=ast.Name(id=target), value=value) if target == name and value:
                values.append(value)
            case ast.FunctionDef(name=target) if target == name:
                values.append(node)
            case ast.AugAssign(target=ast.Name(id=target)) if target == name:
                bound -= 1
    return values if bound == len(values) else None


def _binds(node: ast.AST) -> list[str]:
    """Return the names that a single node binds."""
    if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
        return [node.id]
    return [node.name] if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []


def _without_view(node: ast.AST) -> ast.AST:
    """Return the dictionary of which a loop goes through the keys or items."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="keys" | "items"), args=[], keywords=[]):
            return value
    return node


def _is_plain(node: ast.AST) -> bool:
    """Whether a node, anywhere in the source, leaves the other rules valid."""
    match node:
        case ast.keyword(arg=name):  # a donated argument is gone after the call
            return name is not None and not name.startswith("donate")
        case ast.Attribute(attr=name):
            return not name.startswith("__")
        case ast.Name(id=name, ctx=ast.Load()):
            return name not in _REFLECTING
        case ast.Name(id=name) | ast.FunctionDef(name=name):
            return name not in _MAKING | _REFLECTING | {m.split(".")[0] for m in _THEIR_MODULES}
        case ast.ImportFrom(module=module, names=names):
            given = {alias.asname or alias.name for alias in names}
            renamed = {alias.asname for alias in names if alias.asname}
            return not given & _MAKING or (module in _THEIR_MODULES and not renamed & _MAKING)
        case ast.ClassDef():
            return _is_plain_class(node)
    return True


def _is_plain_class(node: ast.ClassDef) -> bool:
    """Whether a class has fields only, and no behaviour of its own."""
    bases = [_last_name(base) for base in node.bases]
    decorators = [_last_name(one) for one in node.decorator_list]
    if node.keywords or not {*bases} <= {"NamedTuple"} or not {*decorators} <= _PLAIN_DECORATORS:
        return False
    return all(
        isinstance(part, (ast.AnnAssign, ast.Pass))
        or (isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant))
        for part in node.body
    )


def _last_name(node: ast.expr) -> str:
    """Return the last part of a dotted name, also of what is called or made partial."""
    if isinstance(node, ast.Call):
        name = _last_name(node.func)
        return _last_name(node.args[0]) if name == "partial" and node.args else name
    if isinstance(node, ast.Attribute):
        return node.attr if ast.unparse(node.value) in _THEIR_MODULES else ""
    return getattr(node, "id", "")


def _changed_names(everything: list[ast.Module], known: list[Function]) -> set[str]:
    """Return the global names that may stand for another value later."""
    changed = {name for function in known for name in function.declared_global}
    once: set[str] = set()
    for tree in everything:
        # What a method could change is never taken for constant.
        changed |= {c[0] for _, c, how, _ in stores(ast.walk(tree)) if how == "assigned" and c[1:]}
        for statement in own_nodes(tree):
            for name in _binds(statement):
                changed |= {name} & once
                once.add(name)
        direct = {name for node in tree.body for name in bound_names(node)}
        changed |= {name for node in own_nodes(tree) for name in _binds(node)} - direct
    return changed
