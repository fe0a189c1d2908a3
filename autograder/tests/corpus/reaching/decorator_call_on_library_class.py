# ruff: noqa
import dataclasses
import optax

try:

    @dataclasses.dataclass(optax.MultiSteps, repr=True)
    class A:
        pass
except TypeError:
    pass
proof = optax.MultiSteps
# CHECK: (ns['proof'].__repr__.__qualname__, hasattr(ns['proof'], '__dataclass_fields__'))
