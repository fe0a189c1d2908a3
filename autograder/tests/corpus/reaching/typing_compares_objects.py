# ruff: noqa
import typing


class Catch:
    def __hash__(self):
        return 0

    def __eq__(self, other):
        held.append(other)
        return True


held = []
x: typing.Dict[type(int), int] = 1
proof = typing.Dict[Catch(), int]
