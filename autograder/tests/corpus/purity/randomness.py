"""Functions that draw from a random state outside, or from the system."""

# %% numpy_random
# impure: random-state, line 9
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def f(x):
    return x + np.random.normal()

# %% default_rng_unseeded
# impure: random-state, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    rng = np.random.default_rng()
    return x + rng.normal(size=3)

# %% key_from_urandom
# impure: random-state, line 10
import jax
import jax.numpy as jnp
import numpy as np

import os


def f(x):
    seed = int.from_bytes(os.urandom(4), "little")
    return x + jax.random.normal(jax.random.key(seed), x.shape)

# %% key_global
# impure, line 11
import jax
import jax.numpy as jnp
import numpy as np

key = jax.random.key(0)


def f(x):
    global key
    key, sub = jax.random.split(key)
    return x + jax.random.normal(sub, x.shape)

# %% numpy_seed
# impure: random-state, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    np.random.seed(0)
    return x + np.random.rand(3)

# %% numpy_shuffle_legacy
# impure: random-state, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    perm = np.random.permutation(3)
    return x[perm]

# %% python_random
# impure: random-state, line 10
import jax
import jax.numpy as jnp
import numpy as np

import random


def f(x):
    return x * random.random()

# %% random_choice
# impure: random-state, line 11
import jax
import jax.numpy as jnp
import numpy as np

import random


@jax.jit
def f(x):
    return x * random.choice([1.0, 2.0, 3.0])

# %% random_state_object
# impure
import jax
import jax.numpy as jnp
import numpy as np


class Data:
    def __init__(self):
        self.rng = np.random.RandomState(1)


data = Data()


def f(x):
    return x + data.rng.randn(3)

# %% rng_global
# impure: random-state, line 10
import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)


def f(x):
    return x + rng.normal(size=3)

# %% secrets_token
# impure: random-state, line 10
import jax
import jax.numpy as jnp
import numpy as np

import secrets


def f(x):
    return x * secrets.randbelow(10)

# %% uuid_seed
# impure, line 10
import jax
import jax.numpy as jnp
import numpy as np

import uuid


def f(x):
    seed = uuid.uuid4().int % 1000
    return x * seed

# %% callback_random
# impure
import jax
import jax.numpy as jnp
import numpy as np


def host(v):
    return np.asarray(v) + np.random.rand()


def f(x):
    return jax.pure_callback(host, jax.ShapeDtypeStruct(x.shape, x.dtype), x)

# %% imported_rand
# impure
import jax
import jax.numpy as jnp
import numpy as np

from numpy.random import rand


def f(x):
    return x + rand()

# %% random_instance
# impure
import jax
import jax.numpy as jnp
import numpy as np

import random

rng = random.Random(3)


def f(x):
    return x * rng.uniform(0, 1)

# %% numpy_normal
# impure

import numpy as np


def f(x):
    return x + np.random.normal()  # noqa: NPY002

# %% generator_object
# impure

import numpy as np

rng = np.random.default_rng(0)


def f(x):
    return x + rng.normal()

# %% bound_random
# impure


import random

r = random.Random(0).random


def f(x):
    r()
    return 2 * x
