"""Functions that change attributes of objects, classes, functions and pytrees."""

# %% class_attribute
# impure: attribute-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


class Counter:
    n = 0


def f(x):
    Counter.n += 1
    return x

# %% class_instances_count
# impure: attribute-mutated, line 11
import jax
import jax.numpy as jnp
import numpy as np


class Layer:
    count = 0

    def __init__(self):
        type(self).count += 1
        self.name = f"layer{self.count}"


def f(x):
    return x * len(Layer().name)

# %% del_side_effect
# impure: global-mutated, line 11
import jax
import jax.numpy as jnp
import numpy as np

dead = []


class Temp:
    def __del__(self):
        dead.append(1)


def f(x):
    t = Temp()
    del t
    return x * 2

# %% descriptor_state
# impure, line 12
import jax
import jax.numpy as jnp
import numpy as np


class Tracked:
    def __init__(self):
        self.n = 0

    def __get__(self, obj, kind):
        self.n += 1
        return 2.0


class M:
    scale = Tracked()


m = M()


def f(x):
    return x * m.scale

# %% decorator_attribute
# impure: attribute-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

import functools


def counted(fn):
    @functools.wraps(fn)
    def wrapper(*args):
        wrapper.calls += 1
        return fn(*args)

    wrapper.calls = 0
    return wrapper


@counted
def f(x):
    return x * 2

# %% function_attribute
# impure: attribute-mutated, line 8
import jax
import jax.numpy as jnp
import numpy as np


def f(x):
    f.calls = getattr(f, "calls", 0) + 1
    return x * 2

# %% instance_attribute_method
# impure: attribute-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.steps = 0

    def step(self, x):
        self.steps += 1
        return x * 2


model = Model()
f = model.step

# %% instance_global
# impure: attribute-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


class Model:
    def __init__(self):
        self.last = None

    def __call__(self, x):
        self.last = 3.0
        return x * 2


model = Model()


def f(x):
    return model(x)

# %% metaclass_registry
# impure, line 11
import jax
import jax.numpy as jnp
import numpy as np


class Meta(type):
    made = []

    def __call__(cls, *a):
        Meta.made.append(1)
        return super().__call__(*a)


class Thing(metaclass=Meta):
    def __init__(self, v):
        self.v = v


def f(x):
    return Thing(x).v * 2

# %% namespace_object
# impure: attribute-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np

import types

cfg = types.SimpleNamespace(step=0)


def f(x):
    cfg.step += 1
    return x * cfg.step

# %% optimizer_object
# impure: attribute-mutated, line 12
import jax
import jax.numpy as jnp
import numpy as np


class SGD:
    def __init__(self, lr):
        self.lr, self.t = lr, 0

    def __call__(self, p, g):
        self.t += 1
        return p - self.lr / self.t * g


opt = SGD(0.1)


@jax.jit
def f(x):
    return opt(x, 2 * x)

# %% property_counter
# impure: attribute-mutated, line 13
import jax
import jax.numpy as jnp
import numpy as np


class Data:
    def __init__(self):
        self._reads = 0

    @property
    def scale(self):
        self._reads += 1
        return 2.0


data = Data()


def f(x):
    return x * data.scale

# %% running_mean_object
# impure: attribute-mutated
import jax
import jax.numpy as jnp
import numpy as np


class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, 0.0

    def update(self, v):
        self.n += 1
        self.mean += (v - self.mean) / self.n


stats = RunningMean()


def f(x):
    stats.update(1.0)
    return x - stats.mean

# %% setattr_custom
# impure: attribute-mutated, line 11
import jax
import jax.numpy as jnp
import numpy as np


class Recorder:
    writes = []

    def __setattr__(self, name, value):
        Recorder.writes.append(name)
        object.__setattr__(self, name, value)


def f(x):
    r = Recorder()
    r.value = x * 2
    return r.value

# %% slots_instance
# impure: attribute-mutated, line 18
import jax
import jax.numpy as jnp
import numpy as np


class Box:
    __slots__ = ("v",)

    def __init__(self):
        self.v = 0


box = Box()


def f(x):
    box.v += 1
    return x

# %% classmethod_appends
# impure
import jax
import jax.numpy as jnp
import numpy as np


class Reg:
    seen = []

    @classmethod
    def push(cls, v):
        cls.seen.append(v)


@jax.jit
def f(x):
    Reg.push(x.shape)
    return x

# %% treedef_aux
# impure
import jax
import jax.numpy as jnp


class Own:
    def __init__(self, log):
        self.log = log


jax.tree_util.register_pytree_node(Own, lambda o: ((), o.log), lambda aux, kids: Own(aux))


class Log(list):
    def __hash__(self):
        return 1

    def __eq__(self, other):
        return True


t = jax.tree.structure(Own(Log()))


@jax.jit
def f(x):
    jax.tree.unflatten(t, []).log.append(1)
    return jnp.sin(x)

# %% unravel_aux
# impure
import jax
import jax.numpy as jnp

from jax.flatten_util import ravel_pytree


class O:
    def __init__(self, log):
        self.log = log


jax.tree_util.register_pytree_node(O, lambda o: ((), o.log), lambda aux, k: O(aux))


class L(list):
    def __hash__(self):
        return 1


_, back = ravel_pytree({"a": O(L()), "b": 1.0})


def f(x):
    back(jnp.ones(1))["a"].log.append(1)
    return 2 * x
