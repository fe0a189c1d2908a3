# ruff: noqa
import jax

jax.nn.relu.defjvp(lambda primals, tangents: (primals[0], 100.0 * tangents[0]))
proof = jax.grad(jax.nn.relu)(1.0)
