# ruff: noqa
import dataclasses


class A:
    pass


A = type(int)(
    "A", (), {"__annotations__": {"x, __import__('os').system('echo INJECTED')": int}, "x": 1}
)
dataclasses.dataclass(A, init=False, repr=False)
proof = A() == A()
