"""Sources that reach it through decorators, registration, options, contexts: none may be proved."""

# %% dataclass_code_injection
import dataclasses


class A:
    pass


A = type(int)(
    "A", (), {"__annotations__": {"x, __import__('os').system('echo INJECTED')": int}, "x": 1}
)
dataclasses.dataclass(A, init=False, repr=False)
proof = A() == A()

# %% decorator_call_on_library_class
import dataclasses
import optax

try:

    @dataclasses.dataclass(optax.MultiSteps, repr=True)
    class A:
        pass
except TypeError:
    pass
proof = optax.MultiSteps
# CHECK: (ns['proof'].__repr__.__qualname__, hasattr(ns['proof'], '__dataclass_fields__'))

# %% decorator_partial_register
import functools
import jax
import jax.numpy as jnp

x = jnp.ones(1)
try:

    @functools.partial(jax.tree_util.register_pytree_node, type(x), lambda x: ((), None))
    class A:
        pass
except TypeError:
    pass
proof = jax.tree.leaves([x])

# %% decorator_register_library_class
import jax
import jax.numpy as jnp

try:

    @jax.tree_util.register_static(type(jnp.ones(1)))
    class A:
        pass
except TypeError:
    pass
proof = jax.tree.leaves([jnp.ones(1)])

# %% decorator_stack_dataclass
import dataclasses
import optax


@dataclasses.dataclass
@(lambda cls: optax.MultiSteps)
class A:
    pass


# CHECK: (__import__('optax').MultiSteps.__eq__.__code__.co_filename, hasattr(__import__('optax').MultiSteps, '__dataclass_fields__'))

# %% decorator_stack_wraps
import functools
import jax.numpy as jnp


def evil():
    pass


evil.own_attribute = 1


@functools.wraps(evil)
@(lambda f: jnp.vectorize)
def g():
    pass


# CHECK: (jnp.vectorize.__name__, jnp.vectorize.own_attribute, jnp.vectorize.__wrapped__)

# %% defjvp_of_library
import jax

jax.nn.relu.defjvp(lambda primals, tangents: (primals[0], 100.0 * tangents[0]))
proof = jax.grad(jax.nn.relu)(1.0)

# %% defjvp_of_library_class_and_function
import jax


@jax.custom_jvp
def relu(x):
    return x


@(lambda cls: jax.nn.relu)
class relu:
    pass


relu.defjvp(lambda primals, tangents: (primals[0], 100.0 * tangents[0]))
proof = jax.grad(jax.nn.relu)(1.0)

# %% contextmanager_func_left_open
import contextlib
import jax


@contextlib.contextmanager
def leak():
    with jax.named_scope("planted"):
        yield


g = leak().func()
next(g)
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), "float32")).as_text("stablehlo", debug_info=True).count("planted")

# %% contextmanager_wrapped_left_open
import contextlib
import jax


@contextlib.contextmanager
def leak():
    with jax.named_scope("planted"):
        yield


g = leak.__wrapped__()
next(g)
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), "float32")).as_text("stablehlo", debug_info=True).count("planted")

# %% library_context_func
import jax

scope = jax.named_scope("planted")
next(scope.func("planted"))
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), "float32")).as_text("stablehlo", debug_info=True).count("planted")

# %% library_context_left_open
import jax

next(jax.named_scope.__wrapped__("planted"))
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), "float32")).as_text("stablehlo", debug_info=True).count("planted")

# %% with_left_open_in_generator
import jax
import plnkit.compile_counts


def leak():
    with jax.named_scope("planted"), jax.make_mesh((1,), ("i",)), jax.auto_pcast(False):
        with plnkit.compile_counts.compile_counts(), jax.ensure_compile_time_eval():
            yield 1


g = leak()
next(g)
# CHECK: (jax._src.mesh.thread_resources.env.physical_mesh, jax._src.monitoring._event_duration_secs_listeners, jax._src.config.auto_pcast.value)
# CHECK: str(jax._src.source_info_util.current_name_stack())
# CHECK: jax.jit(lambda x: x + 1).lower(jax.ShapeDtypeStruct((), 'float32')).as_text('stablehlo', debug_info=True).count('planted')

# %% exit_ends_exceptions
class C:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        yield


with C():
    raise SystemExit

# %% exit_reads_traceback
held = []


class C:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        held.append(trace)


with C():
    pass

# %% jit_options_in_decorator
from functools import partial
import jax


@partial(jax.jit, compiler_options={"xla_dump_to": "/scratch/xla_dump"})
def f(x):
    return x * 5.5


f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))

# %% jit_options_spread
import jax

f = jax.jit(lambda x: x * 5.5, **{"compiler_options": {"xla_dump_to": "/scratch/xla_dump"}})
f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))

# %% jit_options_spread_computed
import jax

f = jax.jit(lambda x: x * 5.5, **{"compiler" + "_options": {"xla_dump_to": "/scratch/xla_dump"}})
f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))

# %% jit_options_spread_elsewhere
from functools import partial
import jax

options = {"compiler" + "_options": {"xla_dump_to": "/scratch/xla_dump"}}


def call(function, *args, **kwargs):
    return function(*args, **kwargs)


jit = partial(jax.jit)
f = call(jit, lambda x: x * 5.5, **options)
f(1.0).block_until_ready()
# CHECK: len(os.listdir('/scratch/xla_dump'))

# %% kwarg_doc_typed_dict
import dataclasses


@dataclasses.dataclass
class P:
    x: int = 0


class Set:
    def __init__(self, field):
        match field:
            case self:
                pass
        self.name = "__class__"


Set(dataclasses.fields(P)[0])
proof = dataclasses.asdict(P())

# %% partial_keywords
import optax

n = optax.nadam
n.keywords["nesterov"] = "planted"
# CHECK: __import__('optax').nadam

# %% register_dataclass_computed
import dataclasses
import jax


@dataclasses.dataclass
class A:
    x: int = 0


names = ["__dict__"]
jax.tree_util.register_dataclass(A, names, [])
proof = jax.tree.leaves(A())

# %% register_dataclass_names_changed
import dataclasses
import jax


@dataclasses.dataclass
class A:
    x: int = 0


names = others = ["x"]
others[0] = "__dict__"
jax.tree_util.register_dataclass(A, names, [])
proof = jax.tree.leaves(A())

# %% register_dataclass_reads_names
import jax


class A(ValueError):
    pass


jax.tree_util.register_dataclass(
    A, ["__traceback__", "__class__", "__reduce_ex__", "__setattr__", "__getattribute__"], []
)
try:
    raise A()
except A as error:
    proof = jax.tree.leaves(error, is_leaf=lambda x: x is not error)
    proof[3]("__notes__", "any attribute of its own by name")
    more = proof[4]("__" + "dict__")
# CHECK: ns['more']

# %% register_dataclass_spread
import dataclasses
import functools
import jax


@functools.partial(
    jax.tree_util.register_dataclass, **{"data_fields": ["__dict__"], "meta_fields": []}
)
class A:
    pass


proof = jax.tree.leaves(A())

# %% plnkit_patch
from plnkit import Parameters, Solution, Fit
import plnkit

P = Parameters
P.covariance2 = "planted"
F = Fit
F.taxa = "patched"
F.predict = "patched"
P.coefficients = "patched"
# CHECK: (__import__('plnkit').Parameters.coefficients, __import__('plnkit').Fit.predict)

# %% set_missing_on_library
import jax
import jax.numpy as jnp

f = jnp.vectorize
f.own_attribute = 1
A = type(jnp.ones(1))
A.own_attribute = 1
# CHECK: (jnp.vectorize.own_attribute, jnp.ones(1).own_attribute)
