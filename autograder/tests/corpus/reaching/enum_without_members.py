# ruff: noqa
from enum import Enum


class E(Enum):
    pass


proof = E("X", [("__array_interface__", property(lambda self: {"shape": (1,)}))])
