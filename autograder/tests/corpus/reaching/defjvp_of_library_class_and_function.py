# ruff: noqa
import jax


@jax.custom_jvp
def relu(x):
    return x


@(lambda cls: jax.nn.relu)
class relu:
    pass


relu.defjvp(lambda primals, tangents: (primals[0], 100.0 * tangents[0]))
proof = jax.grad(jax.nn.relu)(1.0)
