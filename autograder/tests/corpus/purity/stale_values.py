"""Functions that jit has compiled with a global value that changes later."""

# %% stale_closure
# impure: stale-global, line 16
import jax
import jax.numpy as jnp
import numpy as np


def make():
    scale = 1.0

    def set_scale(v):
        nonlocal scale
        scale = v

    @jax.jit
    def g(x):
        return x * scale

    return g, set_scale


f, set_scale = make()

# %% stale_bound_jit
# impure: stale-global
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.w = 2.0

    def set_w(self, w):
        self.w = w

    def predict(self, x):
        return x * self.w


model = Model()
f = jax.jit(model.predict)

# %% stale_config_dict
# impure: stale-global, line 14
import jax
import jax.numpy as jnp
import numpy as np

config = {"lr": 0.1}


def set_lr(v):
    config["lr"] = v


def f(x):
    return x - config["lr"] * x

# %% stale_data_global
# impure: stale-global, line 10
import jax
import jax.numpy as jnp
import numpy as np

data = jnp.ones(3)


def loss(w):
    return ((w - data) ** 2).sum()


f = jax.jit(jax.grad(loss))
f(jnp.zeros(3))
data = data * 2

# %% stale_loop_variable
# impure: stale-global, line 10
import jax
import jax.numpy as jnp
import numpy as np

steps = []
for k in range(3):

    def step(x):
        return x * k

    steps.append(step)


def f(x):
    for s in steps:
        x = s(x)
    return x

# %% stale_model_object
# impure: stale-global
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.w = jnp.ones(3)

    def fit(self, y):
        self.w = y


model = Model()


@jax.jit
def f(x):
    return x @ model.w

# %% stale_numpy_array
# impure: stale-global, line 11
import jax
import jax.numpy as jnp
import numpy as np

W = np.ones(3)


@jax.jit
def f(x):
    return x @ W


def retrain():
    W[:] = 0.0

# %% stale_reassigned
# impure: stale-global, line 11
import jax
import jax.numpy as jnp
import numpy as np

scale = 2.0


@jax.jit
def f(x):
    return x * scale


f(jnp.ones(3))
scale = 3.0

# %% stale_setter
# impure: stale-global, line 16
import jax
import jax.numpy as jnp
import numpy as np

scale = 2.0


def set_scale(v):
    global scale
    scale = v


@jax.jit
def f(x):
    return x * scale

# %% stale_string_mode
# impure: stale-global, line 15
import jax
import jax.numpy as jnp
import numpy as np

mode = "square"


def set_mode(m):
    global mode
    mode = m


def f(x):
    return x**2 if mode == "square" else x

# %% stale_in_vmap
# impure
import jax
import jax.numpy as jnp
import numpy as np

gamma = 0.5


def decay(x):
    return x * gamma


f = jax.jit(jax.vmap(decay))


def set_gamma(g):
    global gamma
    gamma = g

# %% stale_model_that_is_passed_on
# impure: stale-global, line 17
import jax
import jax.numpy as jnp
import numpy as np

class Model:
    def __init__(self, w):
        self.w = w



model = Model(1.0)


@jax.jit
def f(x):
    return x * model.w


def descend(m, rate):
    m.w -= rate


descend(model, rate=0.25)

# %% stale_model_passed_on_twice
# impure: stale-global, line 16
import jax
import jax.numpy as jnp
import numpy as np

class Model:
    def __init__(self, w):
        self.w = w



model = Model(1.0)


def f(x):
    return x * model.w


def descend(m, rate):
    m.w -= rate


def train(m=model):
    for _ in range(3):
        descend(m, 0.25)

# %% stale_alias_in_a_function
# impure: stale-global, line 11
import jax
import jax.numpy as jnp
import numpy as np

params = {"w": 1.0}


@jax.jit
def f(x):
    return x * params["w"]


def train():
    p = params
    f(jnp.ones(3))
    p["w"] = p["w"] * 0.5

# %% stale_alias_at_the_top
# impure: stale-global, line 10
import jax
import jax.numpy as jnp
import numpy as np

params = {"w": 1.0}


def f(x):
    return x * params["w"]


best = params
best["w"] = 2.0

# %% stale_one_of_a_loop
# impure: stale-global, line 17
import jax
import jax.numpy as jnp
import numpy as np

class Model:
    def __init__(self, w):
        self.w = w



first, second = Model(1.0), Model(2.0)


@jax.jit
def f(x):
    return x * first.w


def reset():
    for model in (first, second):
        model.w = 0.0

# %% stale_attribute_of_a_class
# impure: stale-global, line 12
import jax
import jax.numpy as jnp
import numpy as np

class Settings:
    rate = 0.1


@jax.jit
def f(x):
    return x * Settings.rate


def decay(settings=Settings):
    settings.rate = settings.rate / 2
