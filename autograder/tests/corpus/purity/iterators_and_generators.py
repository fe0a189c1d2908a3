"""Functions that advance an iterator or a generator made outside."""

# %% itertools_count
# impure: iterator-advanced, line 12
import jax
import jax.numpy as jnp
import numpy as np

import itertools

counter = itertools.count()


def f(x):
    return x + next(counter)

# %% cycle_iterator
# impure: iterator-advanced, line 12
import jax
import jax.numpy as jnp
import numpy as np

import itertools

signs = itertools.cycle([1.0, -1.0])


def f(x):
    return x * next(signs)

# %% enumerate_global
# impure: iterator-advanced, line 10
import jax
import jax.numpy as jnp
import numpy as np

batches = enumerate(range(1000))


def f(x):
    i, b = next(batches)
    return x * b

# %% generator_global
# impure: iterator-advanced
import jax
import jax.numpy as jnp
import numpy as np


def numbers():
    n = 0
    while True:
        yield n
        n += 1


gen = numbers()


def f(x):
    return x + next(gen)

# %% generator_send
# impure
import jax
import jax.numpy as jnp
import numpy as np


def acc():
    total = 0.0
    while True:
        total += yield total


totals = acc()
next(totals)


def f(x):
    return x + totals.send(1.0)

# %% iterator_list
# impure: iterator-advanced, line 10
import jax
import jax.numpy as jnp
import numpy as np

scales = iter([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0] * 9)


def f(x):
    return x * next(scales)

# %% zip_consumed
# impure: iterator-advanced, line 10
import jax
import jax.numpy as jnp
import numpy as np

pairs = zip(range(50), range(50))


def f(x):
    for a, b in pairs:
        x = x + a
    return x

# %% range_iterator
# impure

numbers = iter(range(10**6))


def f(x):
    return x * next(numbers)

# %% dict_values_iterator
# impure
import jax
import jax.numpy as jnp
import numpy as np

it = iter({"a": 1.0, "b": 2.0, "c": 3.0}.values())


def f(x):
    return x * next(it, 0.0)

# %% tee
# impure
import jax
import jax.numpy as jnp
import numpy as np

import itertools

a, b = itertools.tee(range(100))


def f(x):
    return x + next(a)

# %% deque_iterator
# impure
import collections
import jax
import jax.numpy as jnp

it = iter(collections.deque(range(1000)))


@jax.jit
def f(x):
    next(it, None)
    return jnp.sin(x)

# %% flat_iterator
# impure
import jax
import jax.numpy as jnp
import numpy as np

it = np.zeros(1000).flat


@jax.jit
def f(x):
    next(it, None)
    return jnp.sin(x)
