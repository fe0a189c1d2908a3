"""Sources that reach it through names, scopes, imports, getattr: none may be proved."""

# %% delete_own_then_builtin
def f():
    def eval(x):
        return x

    class A:
        global eval
        take = eval

    return A.take


proof = f()("__import__('os').getpid()")

# %% except_name_builtins
try:
    pass
except ValueError as __builtins__:
    pass
proof = __builtins__["eval"]("__import__('os').getpid()")

# %% forward_ref_evaluate
import typing


class Own:
    _evaluate = None


ref = typing.get_args(typing.List["__import__('os').getpid()"])[0]
ran = []


class Seen(dict):
    def __getitem__(self, name):
        ran.append(name)
        raise KeyError(name)


ref2 = typing.get_args(
    typing.List["[x for x in [print('FORWARD REF RAN', __import__('os').getpid())]] and int"]
)[0]
proof = ref2._evaluate({}, {}, recursive_guard=frozenset())

# %% format_getattr
import optax

proof = getattr("{0.__globals__[jax]._src}", "format")(optax.apply_updates)

# %% format_not_called
import optax

f = "{0.__globals__[jax]._src}".format
proof = f(optax.apply_updates)

# %% getattr_loop_rebound
def f(x):
    for name in ("real",):
        pass
    name = "__class__"
    return getattr(x, name)


proof = f(1)

# %% getattr_names_appended
NAMES = ["real"]
NAMES.append("__class__")
proof = [getattr(1, name) for name in NAMES]

# %% getattr_zip_of_ones_own
def zip(*lists):
    return [(1, "__class__")]


proof = [getattr(x, name) for x, name in zip([1], ("real",))]

# %% getattr_zip_starred
given = [[1], ["__class__"]]
proof = [getattr(x, name) for x, name, *_ in zip(*given, ("real",))]

# %% import_alias_builtins_dict
if False:
    from math import pi as __builtins__
proof = __builtins__["eval"]("__import__('os').getpid()")

# %% import_alias_of_builtin
if False:
    from math import pi as eval
proof = eval("__import__('os').getpid()")

# %% import_in_class
class Own:
    def __init__(self):
        self.lib = self.ctypeslib = None


class A:
    import numpy as lib


proof = A.lib.ctypeslib

# %% import_rebinds_own_class_name
import dataclasses
import jax
import jax.numpy as jnp


class A:
    pass


for A in [type(jnp.ones(1))]:
    pass
jax.tree_util.register_static(A)
proof = jax.tree.leaves([jnp.ones(1)])

# %% lambda_default_module
import numpy as np


class Own:
    fromfile = None


np2 = (lambda np=np: np)()
proof = np2.fromfile("/etc/hostname", dtype=np.uint8)

# %% match_capture_builtins
match 0:
    case 1 as __builtins__:
        pass
proof = __builtins__["eval"]("__import__('os').getpid()")

# %% module_name_rebound
import math
import re
import jax.numpy as jnp

[math := jnp.ones(3) for _ in [0]]


@(lambda f: jnp.ones(4))
def re():
    pass


proof = (math.prod(),)

# %% scope_class_del
class A:
    eval = 1
    del eval
    take = eval


proof = A.take("__import__('os').getpid()")

# %% scope_class_falls_through
import jax


class A:
    take = eval
    module = jax
    eval = jax = None


proof = (A.take("1+1"), A.module)

# %% scope_class_in_function
def f():
    eval = 1

    class A:
        take = eval
        eval = 2

    return A.take


proof = f()("__import__('os').getpid()")

# %% scope_comprehension_attribute_target
import numpy as np


class Own:
    ctypeslib = None


module = [np for np.planted in [1]][0]
proof = module.ctypeslib

# %% scope_comprehension_first_iterable
proof = [eval for eval in [eval]][0]("__import__('sys').modules.__len__()")

# %% scope_comprehension_patches
import jax.numpy as jnp

[0 for jnp.sin in [lambda x: "patched"]]
proof = jnp.sin(1.0)

# %% scope_comprehension_target_leaks
def f():
    [exec for exec in ()]
    return exec


proof = f()
f()("import os; stolen = os.getpid()")
# CHECK: ns['proof'] is exec

# %% scope_default_builtin
def f(eval=eval):
    return eval


proof = f()("__import__('os').getpid()")
# CHECK: ns['proof'] == os.getpid()

# %% scope_default_module
import jax


class Own:
    _src = None


def f(jax=jax):
    return jax


proof = f()._src
# CHECK: ns['proof'] is jax._src

# %% scope_global_in_nested
def f():
    eval = 1

    def g():
        global eval
        return eval

    return g()


proof = f()("__import__('os').getpid()")

# %% scope_walrus_comprehension_module
proof = [eval("__import__('os').getpid()") if x else (eval := 0) for x in [1]]

# %% timeit_rebound_name
import timeit


def stmt():
    pass


stmt = "import os; print('TIMEIT RAN TEXT', os.getpid())"
timeit.timeit(stmt, number=1)
proof = "see above"

# %% typing_abc_set_attributes
import typing
import abc
import jax.numpy as jnp

abc.abstractmethod(jnp.vectorize)
typing.dataclass_transform()(jnp.vectorize)
# CHECK: jnp.vectorize.__isabstractmethod__, jnp.vectorize.__dataclass_transform__

# %% typing_compares_objects
import typing


class Catch:
    def __hash__(self):
        return 0

    def __eq__(self, other):
        held.append(other)
        return True


held = []
x: typing.Dict[type(int), int] = 1
proof = typing.Dict[Catch(), int]

# %% typing_global_names
import typing


class Own:
    _name = None


for form in (typing.Any, typing.Optional, typing.List):
    try:
        form._name = "patched"
    except Exception:
        pass
proof = typing.Optional, typing.List

# %% cython_func_globals
import numpy as np


class Own:
    func_globals = func_code = None


seed = np.random.seed
proof = seed.func_globals["__builtins__"]
code = seed.func_code
# CHECK: (type(ns['proof']), ns['code'])
