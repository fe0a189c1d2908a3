# ruff: noqa
import typing


class Own:
    _evaluate = None


ref = typing.get_args(typing.List["__import__('os').getpid()"])[0]
ran = []


class Seen(dict):
    def __getitem__(self, name):
        ran.append(name)
        raise KeyError(name)


ref2 = typing.get_args(
    typing.List["[x for x in [print('FORWARD REF RAN', __import__('os').getpid())]] and int"]
)[0]
proof = ref2._evaluate({}, {}, recursive_guard=frozenset())
