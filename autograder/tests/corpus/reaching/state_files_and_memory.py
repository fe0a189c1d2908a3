"""Sources that hide state, write files or read memory by libraries: none may be proved."""

# %% autograder_check_attr
from autograder import check
import autograder

f = check
f.planted = 1
proof = f.planted
# CHECK: __import__('autograder').check.planted

# %% cached_jaxpr_consts
import jax
import jax.numpy as jnp


class Own:
    consts = None


c = jnp.arange(3.0)
f = jax.jit(lambda x: x + c)
x = jnp.zeros(3)
closed = f.trace(x).jaxpr
closed.consts[0] = jnp.full(3, 100.0)
proof = (f.trace(x).jaxpr.consts, f(x), f.lower(x).compile()(x))

# %% cached_list_returned
import jax

jax.local_devices().append("planted")
jax.local_devices().clear()
proof = (jax.local_devices(), jax.devices())

# %% check_reads_rubric_file
from autograder import check

try:
    proof = check("nothing", rubric="/scratch/evil_rubric.py")
except Exception as e:
    proof = e
# Runs a Python file, where cells run in a `__main__` module as the worker does it.
# CHECK: os.path.exists("/scratch/evil_rubric_ran")

# %% check_while_checked
# The inner check ends the probes of the outer one.
import jax.numpy as jnp
from autograder import check


def f(x):
    check("nothing")
    return jnp.sin(x)

# %% checkpoint_policy_gets_primitives
import jax
import jax.numpy as jnp

got = []


def policy(prim, *args, **params):
    got.append((prim, params))
    return False


jax.grad(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x)), policy=policy))(1.0)
prim = got[0][0]


class Own:
    def_impl = None


prim.def_impl(lambda *a, **k: "patched")
proof = (prim, got[0][1])
# CHECK: jax.lax.sin_p.impl()

# %% config_compilation_cache_writes_files
import jax

set_it = jax.config.update
set_it("jax_compilation_cache_dir", "/scratch/cache")
set_it("jax_persistent_cache_min_compile_time_secs", 0)
set_it("jax_persistent_cache_min_entry_size_bytes", 0)
jax.jit(lambda x: x * 3.25)(1.0).block_until_ready()
# CHECK: os.listdir('/scratch/cache')

# %% config_state_listed
import jax

a = jax.auto_pcast


class Own:
    _set = _name = None


a._name = "planted"
a._set("planted")
# CHECK: (jax.auto_pcast._name, jax.auto_pcast.value)

# %% config_update_as_value
import jax

update = jax.config.update
update("jax_disable_jit", True)
jax.config.update(*["jax_compilation_cache_dir", "/scratch/cache"])
# CHECK: (jax.config.jax_disable_jit, jax.config.jax_compilation_cache_dir)

# %% debug_print_format
import optax
import jax

jax.debug.print("{0.__globals__[jax]._src}", optax.apply_updates)

# %% eq_poisons_trace_cache
import functools
import jax
import jax.numpy as jnp


def g(x):
    return x + 1.0


class Evil:
    def __call__(self, x):
        return x * 0.0

    def __hash__(self):
        return hash(g)

    def __eq__(self, other):
        return True


evil = Evil()


@functools.wraps(g)
@(lambda f: evil)
def h(x):
    return x


x = jnp.ones(3)
r0 = jax.jit(evil)(x)
r1 = jax.jit(g)(x)
proof = (r0, r1)

# %% figure_canvas
import matplotlib.pyplot as plt


class Own:
    axes = figure = canvas = print_png = manager = matplotlib = rcParams = None


line = plt.plot([1, 2])[0]
canvas = line.figure.canvas
canvas.print_png("/scratch/written_by_canvas.png")
# CHECK: os.path.exists('/scratch/written_by_canvas.png')

# %% key_rules_patched
import jax


class Own:
    _rules = full = None


R = jax.random.key(0).dtype._rules
R.full = "patched"
R.physical_element_aval = "patched"
# CHECK: jax._src.random.prng.KeyTyRules.full
try:
    proof = jax.random.split(jax.random.key(0))
except Exception as e:
    proof = e

# %% library_trace_cache_consts
import jax
import jax.numpy as jnp


class Own:
    consts = None


x = jnp.ones(3)
found = []
for f in (
    jnp.hanning,
    jnp.i0,
    jax.scipy.special.erfcx,
    jax.scipy.special.dawsn,
    jax.scipy.special.bessel_jn,
    jnp.interp,
    jax.scipy.special.digamma,
    jax.scipy.special.i1e,
    jax.scipy.special.gammaln,
    jnp.ediff1d,
    jnp.polyval,
    jnp.vander,
):
    try:
        c = f.trace(x).jaxpr
        found.append((f.__name__, c.consts))
        c.consts.append("planted")
    except Exception:
        pass
proof = found

# %% lowered_compile_as_value
import jax

compile_it = jax.jit(lambda x: x * 6.5).lower(1.0).compile
compile_it({"xla_dump_to": "/scratch/xla_dump2"})
# CHECK: len(os.listdir('/scratch/xla_dump2'))

# %% lowered_compile_options
import jax

jax.jit(lambda x: x * 6.5).lower(1.0).compile({"xla_dump_to": "/scratch/xla_dump2"})
# CHECK: len(os.listdir('/scratch/xla_dump2'))

# %% lowered_compile_own_name
import jax


class Own:
    def compile(self, options):
        pass


compile_it = jax.jit(lambda x: x * 6.5).lower(1.0).compile
compile_it({"xla_dump_to": "/scratch/xla_dump2"})
# CHECK: len(os.listdir('/scratch/xla_dump2'))

# %% mesh_shape_interned
import jax

mesh = jax.make_mesh((1,), ("i",))
mesh.shape["i"] = 7
proof = jax.make_mesh((1,), ("i",)).shape

# %% ndarray_buffer_forges_objects
import optax
import numpy as np

objects = np.array([None, None], dtype=object)
raw = np.ndarray((2,), dtype=np.int64, buffer=objects)
target = optax.apply_updates
address = id(target)


# fields of a function object: its globals are the fourth word or so; walk it as raw memory
class Own:
    pass


raw2 = np.ndarray((1,), dtype=np.int64, buffer=objects)
raw[0] = address
same = objects[0]
# A fake `bytes`-like window on memory: a fake ndarray is not needed, an array of objects laid over
# the function would do; here the pointer alone is proved.
proof = (same is target, raw)

# %% ndarray_buffer_reads_memory
import optax
import numpy as np

# bytes keep their data at id + 32: a fake bytearray object inside one reads any address.
function = optax.apply_updates


def words(*values):
    return b"".join(bytes([(int(v) >> (8 * i)) % 256 for i in range(8)]) for v in values)


def window(address, size):
    fake = words(10, id(bytearray), size, size + 1, address, address, 0)
    kept.append(fake)
    holder = np.array([None], dtype=object)
    np.ndarray((1,), dtype=np.int64, buffer=holder)[0] = id(fake) + 32
    kept.append(holder)
    return holder[0]


kept = []


def read_word(address):
    return sum(b << (8 * i) for i, b in enumerate(window(address, 8)[0:8]))


def at(address):
    holder = np.array([None], dtype=object)
    np.ndarray((1,), dtype=np.int64, buffer=holder)[0] = address
    kept.append(holder)
    return holder[0]


names = at(read_word(id(function) + 16))
proof = (type(names), list(names)[:4], names["jax"])

# %% primitive_listed
from jax.lax.linalg import cholesky_p


class Own:
    def_impl = None


p = cholesky_p
p.def_impl(lambda *a, **k: "patched")
p.multiple_results = True
# CHECK: (jax.lax.linalg.cholesky_p.impl(), jax.lax.linalg.cholesky_p.multiple_results)

# %% savefig
import matplotlib.pyplot as plt


class Own:
    savefig = None


fig = plt.figure()
fig.savefig("/scratch/written_by_savefig.png")
# CHECK: os.path.exists('/scratch/written_by_savefig.png')

# %% setting_asked_by_jax
import jax
import jax.numpy as jnp

asked = []


class Setting(int):
    def __bool__(self):
        asked.append("while JAX traces, also for the grader")
        return False

    def __hash__(self):
        asked.append("hash")
        return 0


jax.config.update("jax_enable_x64", Setting())
jnp.zeros(3, float)
proof = asked

# %% state_by_attribute_of_checkpoint
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


@jax.checkpoint
def g(x=1):
    yield


@jax.jit
def f(x):
    g.n += 1
    return jnp.sin(x)


g.n = 0

# %% state_by_attribute_of_contextmanager
# The checks of purity do not see this state.
import contextlib
import jax
import jax.numpy as jnp


@contextlib.contextmanager
def g(x=1):
    yield


@jax.jit
def f(x):
    g.n += 1
    return jnp.sin(x)


g.n = 0

# %% state_by_attribute_of_vectorize
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


@jnp.vectorize
def g(x=1):
    yield


@jax.jit
def f(x):
    g.n += 1
    return jnp.sin(x)


g.n = 0

# %% state_by_decorated_method
import jax


def steal(function):
    function(jax.Array)
    return function


class A:
    @steal
    def bump(self):
        self.planted = 1


proof = jax.Array.planted

# %% state_by_finditer
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp
import re

it = re.finditer("a", "a" * 1000)


@jax.jit
def f(x):
    next(it, None)
    return jnp.sin(x)

# %% state_by_identity
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp

M = 10**20
box = [M]


@jax.jit
def f(x):
    if box[0] is M:
        box[0] = M + 1 - 1
    return jnp.sin(x)

# %% state_by_jit_attribute
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    f.n = (*f.n, 1)
    return jnp.sin(x)


f.n = ()

# %% state_by_local_class
import jax


def f():
    class A:
        def bump(self):
            self.planted = 1

    A.bump(jax.Array)


f()
proof = jax.Array.planted

# %% state_by_operator_is
# The checks of purity do not see this state.
import operator
import jax
import jax.numpy as jnp

MARK = 10**20
box = [MARK]


@jax.jit
def f(x):
    box[0] = MARK + 1 - 1 if operator.is_(box[0], MARK) else MARK
    return jnp.sin(x)

# %% state_by_registration
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


class A1:
    pass


@jax.jit
def f(x):
    try:
        jax.tree_util.register_static(A1)
    except ValueError:
        pass
    return jnp.sin(x)

# %% state_by_staticmethod
# The checks of purity do not see this state.
import jax
import jax.numpy as jnp


def make():
    n = 0

    def count():
        nonlocal n
        n += 1

    return count


s = staticmethod(make())


@jax.jit
def f(x):
    s()
    return jnp.sin(x)

# %% state_by_unbound_method_alias
import jax


class A:
    def bump(self):
        self.planted = 1


B = A
B.bump(jax.Array)
proof = jax.Array.planted

# %% state_by_unbound_method_classmethod
import jax


class A:
    def bump(self):
        self.planted = 1

    @classmethod
    def go(cls, other):
        cls.bump(other)


A.go(jax.Array)
proof = jax.Array.planted

# %% state_by_unbound_method_direct
import jax


class A:
    def bump(self):
        self.planted = 1


A.bump(jax.Array)
proof = jax.Array.planted

# %% state_by_unbound_method_subclass
import jax


class A:
    def bump(self):
        self.planted = 1


class B(A):
    pass


B.bump(jax.Array)
proof = jax.Array.planted

# %% xla_dump
import jax
import jax.numpy as jnp

f = jax.jit(lambda x: x * 5.5, compiler_options={"xla_dump_to": "/scratch/xla_dump"})
f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))
