# ruff: noqa
import dataclasses
import optax


class A:
    pass


A = optax.MultiSteps
dataclasses.dataclass(A)


class Sub(A):
    pass


# CHECK: (ns['Sub'].__mro__, hasattr(__import__('optax').MultiSteps, '__dataclass_fields__'))
