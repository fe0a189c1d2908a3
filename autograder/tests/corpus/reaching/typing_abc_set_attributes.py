# ruff: noqa
import typing
import abc
import jax.numpy as jnp

abc.abstractmethod(jnp.vectorize)
typing.dataclass_transform()(jnp.vectorize)
# CHECK: jnp.vectorize.__isabstractmethod__, jnp.vectorize.__dataclass_transform__
