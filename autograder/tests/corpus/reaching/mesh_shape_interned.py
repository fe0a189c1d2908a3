# ruff: noqa
import jax

mesh = jax.make_mesh((1,), ("i",))
mesh.shape["i"] = 7
proof = jax.make_mesh((1,), ("i",)).shape
