"""Classes that are plain data: what they hold, and what may be read of their objects."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from autograder.source.symbol_tables import parameters_of, within


@dataclass(frozen=True)
class PlainClass:
    """An own class: a NamedTuple, a dataclass, or one whose `__init__` assigns attributes.

    Attributes:
        name: of the class.
        members: fields, attributes that its methods assign, and methods.
        shared: members that may be read of the class itself: static and class methods, constants.
        operators: whether it defines how its objects are added, compared or called.
        is_tuple: whether its objects are tuples.
    """

    name: str
    members: frozenset[str]
    shared: frozenset[str]
    operators: frozenset[str] = frozenset()
    is_tuple: bool = False
    methods: tuple[ast.FunctionDef, ...] = ()


def read_class(node: ast.ClassDef) -> PlainClass:
    """Return what a class definition says about its objects; it is not checked here."""
    members, shared, methods = set[str](), set[str](), list[ast.FunctionDef]()
    for part in node.body:
        match part:
            case ast.AnnAssign(target=ast.Name(id=name)):
                members.add(name)
                if part.value is not None:
                    shared.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]):
                members.add(name)
                shared.add(name)
            case ast.FunctionDef(name=name):
                methods.append(part)
                if not name.startswith("__"):
                    members.add(name)
                decorators = {d.id for d in part.decorator_list if isinstance(d, ast.Name)}
                if decorators & {"staticmethod", "classmethod"}:
                    shared.add(name)
                members |= _assigned(part)
            case _:
                pass
    operators = frozenset(m.name for m in methods if m.name.startswith("__"))
    return PlainClass(
        node.name, frozenset(members), frozenset(shared), operators, False, tuple(methods)
    )


def _assigned(method: ast.FunctionDef) -> set[str]:
    """Return the attributes that a method assigns, of whatever object."""
    found: set[str] = set()
    for part in method.body:
        for x in within(part):
            match x:
                case ast.Attribute(attr=attr, ctx=ast.Store()):
                    found.add(attr)
                case ast.Call(
                    func=ast.Attribute(attr="__setattr__"),
                    args=[_, ast.Constant(value=str(attr)), _],
                ):
                    found.add(attr)
                case _:
                    pass
    return {name for name in found if not name.startswith("__")} if parameters_of(method) else set()
