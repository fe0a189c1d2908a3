"""The words of computation: what may be imported, called and read, by the module it comes from.

A rule of a module is one line: all of its public names, these only, or all but these. What is left
out writes to something, reads something that changes (files, clocks, devices' state, random state,
settings, identities), or calls back into Python when a program runs.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable
from functools import cache
from typing import Any


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


class Only(frozenset[str]):
    """A module of which these names compute."""

    def has(self, name: str) -> bool:
        return name in self


class AllBut(frozenset[str]):
    """A module of which all public names but these compute."""

    def has(self, name: str) -> bool:
        return name not in self and not name.startswith("_")


def _only(text: str) -> Only:
    return Only(text.split())


def _all_but(text: str) -> AllBut:
    return AllBut(text.split())


ALL = AllBut()
MODULES: dict[str, Only | AllBut] = {
    "__future__": _only("annotations"),
    "jax": _only("""
        Array ShapeDtypeStruct jit vmap grad value_and_grad jacfwd jacrev jacobian hessian jvp
        vjp linearize linear_transpose checkpoint remat checkpoint_policies custom_jvp custom_vjp
        custom_gradient closure_convert eval_shape named_call named_scope block_until_ready
        device_put device_get devices local_devices device_count local_device_count make_mesh
        NamedSharding P shard_map reshard ds"""),
    "jax.numpy": _all_but("""
        save savez load fromfile frombuffer from_dlpack fromiter frompyfunc set_printoptions
        get_printoptions printoptions isscalar iterable array_repr array_str object_ generic
        apply_along_axis apply_over_axes"""),
    "jax.numpy.linalg": ALL,
    "jax.numpy.fft": ALL,
    "jax.lax": _all_but("""
        platform_dependent rng_uniform infeed outfeed create_token after_all empty composite"""),
    "jax.lax.linalg": ALL,
    "jax.lax.Precision": ALL,
    "jax.nn": ALL,
    "jax.nn.initializers": ALL,
    "jax.random": ALL,
    "jax.scipy": ALL,
    "jax.tree": ALL,
    "jax.tree_util": _all_but("default_registry dispatch_registry none_leaf_registry"),
    "jax.flatten_util": ALL,
    "jax.ops": ALL,
    "jax.typing": ALL,
    "jax.sharding": _only("Mesh NamedSharding PartitionSpec AxisType Sharding"),
    "jax.sharding.AxisType": _only("Auto Explicit Manual"),
    "jax.ad_checkpoint": _only("checkpoint checkpoint_name checkpoint_policies"),
    "jax.checkpoint_policies": ALL,
    "jax.custom_derivatives": _only("custom_vjp custom_jvp closure_convert"),
    "jax.experimental": _only("checkify"),
    "jax.experimental.checkify": ALL,
    "jax.experimental.shard_map": _only("shard_map"),
    "numpy": _all_but("""
        copyto put place putmask fill_diagonal put_along_axis
        save savez savez_compressed savetxt load loadtxt genfromtxt fromfile fromregex memmap
        DataSource seterr seterrcall setbufsize geterr geterrcall getbufsize errstate
        set_printoptions get_printoptions printoptions show_config show_runtime get_include info
        test empty empty_like ndarray nditer ndenumerate ndindex nested_iters flatiter broadcast
        frombuffer fromiter from_dlpack shares_memory may_share_memory isscalar iterable
        byte_bounds frompyfunc vectorize apply_along_axis apply_over_axes piecewise fromfunction
        ufunc datetime64 timedelta64 datetime_as_string datetime_data busdaycalendar busday_count
        busday_offset is_busday isnat format_float_positional format_float_scientific array2string
        array_repr array_str base_repr binary_repr typename object_ void record recarray bytes_
        str_ random lib core testing ctypeslib f2py char rec ma emath polynomial matrixlib strings
        exceptions dtypes distutils version generic flexible character matrix asmatrix bmat poly1d
        einsum_path"""),
    "numpy.linalg": ALL,
    "numpy.fft": ALL,
    "numpy.typing": ALL,
    "scipy.special": _all_but("errstate seterr geterr"),
    "optax": _all_but("""
        experimental contrib losses projections schedules second_order transforms tree_utils
        perturbations assignment monitor snapshot microbatching"""),
    "optax.tree_utils": ALL,
    "optax.tree": ALL,
    "optax.losses": ALL,
    "math": ALL,
    "functools": _only("partial reduce wraps"),
    "operator": _only("""
        add sub mul truediv floordiv mod neg pos pow matmul abs and_ or_ xor invert not_ lt le eq
        ne ge gt truth"""),
    "itertools": _only("""
        accumulate chain combinations combinations_with_replacement compress dropwhile filterfalse
        groupby islice pairwise permutations product repeat starmap takewhile zip_longest"""),
    "dataclasses": _only("dataclass field replace KW_ONLY"),
    "copy": _only("copy"),
    "collections": _only("namedtuple"),
    "collections.abc": _all_but("abc"),
    "typing": _only("""
        Any Callable ClassVar Dict Final Iterable Iterator List Literal Mapping NamedTuple
        Optional Sequence Set Tuple Type TypeAlias TypeVar Union Annotated"""),
    "plnkit": _only("load_oaks elbo profiled_elbo Latent Parameters Oaks"),
    "plnkit.data": _only("load_oaks Oaks"),
    "plnkit.model": ALL,
    "plnkit.solver": _only("solve Solution"),
}  # fmt: skip
"""What computes, by module. Of modules below `jax.scipy`, too, all public names do."""


def is_known(dotted: str) -> bool:
    """Whether a dotted name is a module of the grammar, or a name of one that computes.

    >>> is_known("jax.numpy.exp"), is_known("numpy.random.normal"), is_known("os")
    (True, False, False)
    """
    module, _, name = dotted.rpartition(".")
    if dotted.startswith("jax.scipy."):
        return not any(part.startswith("_") for part in dotted.split("."))
    return dotted in MODULES or (module in MODULES and MODULES[module].has(name))


DEVICE_SETTINGS = _words("jax_platforms jax_num_cpu_devices")
"""Settings that only say which devices there are; they can be made before anything runs."""

BUILTINS = _words(
    """len range zip enumerate min max sum abs float int bool complex tuple list dict set frozenset
    sorted reversed any all map filter round divmod pow slice isinstance str repr format next iter
    getattr hasattr setattr type object super property staticmethod classmethod callable
    None True False Ellipsis NotImplemented"""
)
"""Builtin names of computation. The calls of some have rules of their own."""
ERRORS = _words(
    """Exception ValueError TypeError RuntimeError AssertionError ArithmeticError FloatingPointError
    NotImplementedError IndexError KeyError AttributeError ZeroDivisionError OverflowError
    LookupError"""
)
BUILTINS |= ERRORS

NUMBERS = _words("float int complex bool")
"""Types of plain values, which jit replaces by tracers."""

TRANSFORMS = _words(
    """jax.jit jax.vmap jax.grad jax.value_and_grad jax.jacfwd jax.jacrev jax.jacobian jax.hessian
    jax.checkpoint jax.remat jax.custom_jvp jax.custom_vjp jax.custom_gradient jax.named_call
    jax.linearize jax.ad_checkpoint.checkpoint jax.custom_derivatives.custom_vjp
    jax.custom_derivatives.custom_jvp jax.shard_map jax.experimental.shard_map.shard_map
    jax.experimental.checkify.checkify jax.tree_util.Partial functools.partial functools.wraps
    jax.numpy.vectorize"""
)
"""Functions that make a function of one."""
CLASS_DECORATORS = _words(
    """dataclasses.dataclass jax.tree_util.register_pytree_node_class
    jax.tree_util.register_pytree_with_keys_class jax.tree_util.register_dataclass
    jax.tree_util.register_static"""
)
CONTEXTS = _words(
    """jax.named_scope jax.debug_nans jax.debug_infs jax.default_matmul_precision
    jax.numpy_dtype_promotion jax.numpy_rank_promotion jax.checking_leaks"""
)
"""Settings that end with the lines that they are made for, and are part of jit's key."""
NEW_ARRAYS = ("jax.numpy.", "jax.nn.", "jax.random.", "jax.scipy.", "math.", "jax.ops.")
"""What these modules return is new, or cannot change."""

AS_VALUES = _words("float int bool complex len abs max min sum pow round tuple list dict")
"""Builtins that may be passed on: what they return is a value, and they change nothing."""
CALLING = _words("vectorize piecewise fromfunction")
"""Functions of jax.numpy that call what they are given."""
TAKES_ALL = _words(
    """list tuple dict set frozenset sum min max any all sorted len enumerate zip map filter
    reversed iter bool functools.reduce"""
)
"""Functions that may be given an iterator: they use it up, or pass its values on."""
ITERATORS = _words("zip map filter enumerate reversed iter")
"""Builtins that return an iterator; those of `itertools` do, too."""
ORDERLESS = _words("sorted len bool set frozenset any all")
"""Functions whose result does not depend on a set's order."""

DATA = _words(
    """shape ndim size dtype itemsize nbytes T mT real imag at
    eps tiny bits smallest_normal resolution
    eigenvalues eigenvectors U S Vh Q R sign logabsdet
    count mu nu inner_state inner_states hyperparams axis_names"""
)
"""Attributes of arrays, of what NumPy and JAX return, and of optax's states."""
METHODS = _words(
    """all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot
    flatten max mean min nonzero prod ptp ravel repeat reshape round searchsorted squeeze std sum
    swapaxes take trace transpose var view item tolist block_until_ready
    keys values items get index count
    split rsplit join strip lstrip rstrip lower upper title startswith endswith zfill replace
    bit_length is_integer
    init update
    lower compile eval_shape throw get
    _replace _asdict
    isdisjoint issubset issuperset union intersection difference symmetric_difference"""
)
"""Methods of arrays, dictionaries, texts and sets that change nothing, and those of optax."""
UPDATES = _words("set add subtract multiply mul divide power apply min max get")
"""Methods of `x.at[...]`."""
OF_SETS = _words(
    "isdisjoint issubset issuperset union intersection difference symmetric_difference copy"
)
"""Methods that a set may be asked by."""
PLAIN = _words("shape ndim size dtype __name__")
"""Attributes whose values, and texts, are the same for a traced array."""
HIDING = _words(
    """flat base ctypes flags delete compile lower copy_to_host_async is_deleted is_ready traceback
    send close tofile dump aval weak_type format clear_cache unsafe_buffer_pointer
    addressable_data"""
)
"""What a library's object tells or does beside computing, whatever an own class means by it."""
FUNCTION_TEXT = _words("__name__ __doc__ __qualname__")
"""What a function says about itself."""
ARITHMETIC = _words(
    """__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __matmul__
    __neg__ __pow__"""
)
SPECIAL = ARITHMETIC | _words(
    """__init__ __post_init__ __call__ __len__ __getitem__ __iter__ __contains__ __repr__ __str__
    __getattr__"""
)
"""Special methods that an own class may define: computation that runs where it is written.

Not `__eq__` and `__hash__`, by which jit finds programs; not `__del__`, `__get__`, `__new__`,
`__setattr__`, `__init_subclass__` and such, which run at other times or change what a class is.
"""
WRITING_KEYWORDS = _words(
    "out overwrite_input overwrite_a overwrite_b overwrite_x inplace callback"
)
"""Keywords by which a library's function writes to an argument, or calls back."""

_UNSIGNED: dict[str, int] = dict(
    array=1, asarray=1, zeros=1, arange=3, where=3, dot=2, concatenate=2, inner=2, vdot=2
)
"""Positional arguments of functions of NumPy whose signature older versions do not tell."""


def is_callable_value(dotted: str) -> bool:
    """Whether a library's name may be passed on as a value.

    A function of NumPy may write to its last argument, jit and device_put may give theirs away,
    and itertools returns iterators: they are only called where they stand.
    """
    if dotted in ("jax.jit", "jax.device_put", "setattr"):
        return False
    top = dotted.partition(".")[0]
    if top in ("scipy", "itertools"):
        return False
    return top != "numpy" or dotted == "numpy.newaxis" or isinstance(_numpy(dotted), (type, float))


def _numpy(dotted: str) -> Any:
    import numpy

    found: Any = numpy
    for part in dotted.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def is_dtype(node: ast.expr, dotted: str | None) -> bool:
    """Whether a data type is written out, so that it is none of NumPy's clocks."""
    match node:
        case ast.Constant(value=str(text)):
            return text.strip("<>=|") in _DTYPES
        case ast.Constant(value=None):
            return True
        case ast.Attribute(attr="dtype"):
            return True
        case ast.Name(id=name) if dotted is None:
            return name in NUMBERS
        case ast.Call():
            return False
        case _:
            return dotted is not None and is_known(dotted)


_DTYPES = _words(
    """float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool
    complex64 complex128 float int complex f f2 f4 f8 i i4 i8 u4 u8 d c8 c16"""
)


@cache
def numpy_arguments(dotted: str) -> tuple[int, int]:
    """Return how many positional arguments a function of NumPy has before a data type, and before
    an array that it writes to. Functions of SciPy have one of each."""
    if not dotted.startswith("numpy."):
        return 1, 1
    import numpy

    found = _numpy(dotted)
    if isinstance(found, numpy.ufunc):
        return found.nin, found.nin
    if isinstance(found, type) or not callable(found):
        return 1, 1
    try:
        names: Iterable[str] = inspect.signature(found).parameters
    except (TypeError, ValueError):
        most = _UNSIGNED.get(dotted.removeprefix("numpy."), 1)
        return most, most
    order = list(names)
    kinds = [order.index(n) for n in ("dtype",) if n in order]
    outs = [order.index(n) for n in ("out", "overwrite_input", "copy") if n in order]
    most = len(order)
    return min([*kinds, most]), min([*outs, most])


METHOD_ARGUMENTS = {
    **dict.fromkeys(("sum", "prod", "mean", "cumsum", "cumprod"), 1),
    **dict.fromkeys(("std", "var", "max", "min", "argmax", "argmin", "all", "any", "dot"), 1),
    **dict.fromkeys(("round", "conj", "conjugate", "ptp", "astype"), 1),
    **dict.fromkeys(("clip", "take"), 2),
    "trace": 3,
}
"""Positional arguments of an array's methods, before one that it writes to."""
