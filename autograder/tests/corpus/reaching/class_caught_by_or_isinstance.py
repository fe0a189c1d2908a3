# ruff: noqa
held = []


class Catch:
    def __or__(self, other):
        held.append(other)
        return int


isinstance(1, Catch() | type(int))
proof = held[0]("X", (), {"__getattr__": lambda self, name: name})()
