# pure
# ruff: noqa
import collections
import operator
import jax
import jax.numpy as jnp
import numpy as np
import optax

seen = {8, 0, "a"}
table = collections.OrderedDict(b=1.0, a=float("nan"))
numbers = np.asfortranarray(np.ones((2, 2)))
records = np.zeros(2, dtype=[("a", object), ("b", float)])
many = [[i] for i in range(11_000)]
optimizer = optax.chain(optax.clip(1.0), optax.adam(optax.constant_schedule(0.1)))
get, name = {"a": 1.0}.get, operator.attrgetter("size")
upper = "a".upper
structure = jax.tree.structure({"a": 1, "b": [2]})


@jax.jit
def f(x):
    state = optimizer.init(x)
    updates, state = optimizer.update(x, state)
    total = (
        len(seen)
        + table["b"]
        + numbers.sum()
        + get(upper().lower())
        + name(numbers)
        + len(records)
        + len(many)
    )
    return jax.tree.unflatten(structure, [updates * total, x])
