"""The words of computation: what may be imported, called and read, by the module it comes from.

A rule of a module is one line: these names only, all public ones (`*`), or all but these. What is
left out writes to something, reads something that changes (files, clocks, devices' state, random
state, settings, identities), or calls back into Python when a program runs.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import Any


@cache
def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


ERRORS = """Exception ValueError TypeError RuntimeError AssertionError ArithmeticError KeyError
    FloatingPointError NotImplementedError IndexError AttributeError ZeroDivisionError
    OverflowError LookupError"""
MODULES = {
    "builtins": f"""
        len range zip enumerate min max sum abs float int bool complex tuple list dict set
        frozenset sorted reversed any all map filter round divmod pow slice isinstance str repr
        format type object property staticmethod classmethod Ellipsis NotImplemented {ERRORS}""",
    "builtins.object": "__new__",
    "__future__": "annotations",
    "jax": """
        Array ShapeDtypeStruct jit vmap grad value_and_grad jacfwd jacrev jacobian hessian jvp
        vjp linearize linear_transpose checkpoint remat checkpoint_policies custom_jvp custom_vjp
        custom_gradient closure_convert eval_shape named_call named_scope block_until_ready
        device_put device_get devices local_devices device_count local_device_count make_mesh
        NamedSharding P shard_map reshard ds""",
    "jax.numpy": """*
        save savez load fromfile frombuffer from_dlpack fromiter frompyfunc set_printoptions
        get_printoptions printoptions isscalar iterable array_repr array_str object_ generic
        apply_along_axis apply_over_axes""",
    "jax.numpy.linalg": "*",
    "jax.numpy.fft": "*",
    "jax.lax": """*
        platform_dependent rng_uniform infeed outfeed create_token after_all empty composite""",
    "jax.lax.linalg": "*",
    "jax.lax.Precision": "*",
    "jax.nn": "*",
    "jax.nn.initializers": "*",
    "jax.random": "*",
    "jax.scipy": "*",
    "jax.tree": "*",
    "jax.tree_util": "* default_registry dispatch_registry none_leaf_registry",
    "jax.flatten_util": "*",
    "jax.ops": "*",
    "jax.typing": "*",
    "jax.sharding": "Mesh NamedSharding PartitionSpec AxisType Sharding",
    "jax.sharding.AxisType": "Auto Explicit Manual",
    "jax.ad_checkpoint": "checkpoint checkpoint_name checkpoint_policies",
    "jax.checkpoint_policies": "*",
    "jax.custom_derivatives": "custom_vjp custom_jvp closure_convert",
    "jax.experimental": "checkify",
    "jax.experimental.checkify": "*",
    "jax.experimental.shard_map": "shard_map",
    "numpy": """
        array asarray asfortranarray ascontiguousarray zeros ones full zeros_like ones_like
        full_like arange linspace logspace geomspace eye identity diag tri tril triu meshgrid
        indices ix_ reshape ravel transpose swapaxes moveaxis expand_dims squeeze broadcast_to
        concatenate stack vstack hstack dstack column_stack split array_split hsplit vsplit tile
        repeat pad roll flip fliplr flipud rot90 unique sort argsort searchsorted where nonzero
        flatnonzero argwhere isin sum prod mean std var median percentile quantile max min amax amin
        argmax argmin cumsum cumprod diff ptp all any count_nonzero clip round around average
        nansum nanmean nanmax nanmin bincount histogram digitize interp convolve
        corrcoef cov dot vdot inner outer matmul einsum tensordot trace kron cross take
        take_along_axis delete insert append resize shape ndim size array_equal allclose isclose
        result_type broadcast_shapes broadcast_arrays atleast_1d atleast_2d atleast_3d
        triu_indices tril_indices diag_indices unravel_index ravel_multi_index
        add subtract multiply divide true_divide floor_divide power float_power remainder mod fmod
        divmod negative positive absolute abs fabs rint sign heaviside conj conjugate exp exp2 log
        log2 log10 expm1 log1p sqrt square cbrt reciprocal gcd lcm sin cos tan arcsin arccos arctan
        arctan2 hypot sinh cosh tanh arcsinh arccosh arctanh degrees radians deg2rad rad2deg
        bitwise_and bitwise_or bitwise_xor invert left_shift right_shift greater greater_equal
        less less_equal not_equal equal logical_and logical_or logical_xor logical_not maximum
        minimum fmax fmin isfinite isinf isnan signbit copysign nextafter ldexp modf frexp floor
        ceil trunc real imag angle iscomplexobj isrealobj finfo iinfo dtype issubdtype ndarray
        float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool bool_
        complex64 complex128 intp floating integer number inexact complexfloating newaxis pi e
        euler_gamma inf nan linalg fft typing""",
    "numpy.linalg": "*",
    "numpy.fft": "*",
    "numpy.typing": "*",
    "optax": """*
        experimental contrib losses projections schedules second_order transforms tree_utils
        perturbations assignment monitor snapshot microbatching scale_by_zoom_linesearch
        scale_by_backtracking_linesearch lbfgs""",
    "optax.tree_utils": "*",
    "optax.tree": "*",
    "optax.losses": "*",
    "math": "*",
    "functools": "partial reduce wraps",
    "operator": """
        add sub mul truediv floordiv mod neg pos pow matmul abs and_ or_ xor invert not_ lt le eq
        ne ge gt truth""",
    "itertools": """
        accumulate chain combinations combinations_with_replacement compress dropwhile filterfalse
        groupby islice pairwise permutations product repeat starmap takewhile zip_longest""",
    "dataclasses": "dataclass field replace KW_ONLY",
    "collections": "namedtuple",
    "collections.abc": "* abc",
    "typing": """
        Any Callable ClassVar Dict Final Iterable Iterator List Literal Mapping NamedTuple
        Optional Sequence Set Tuple Type TypeAlias TypeVar Union Annotated""",
    "plnkit": "load_oaks elbo profiled_elbo Latent Parameters Oaks",
    "plnkit.data": "load_oaks Oaks",
    "plnkit.course": "Params best_Omega elbo largest loss optimizer start",
    "plnkit.course.optimizer": "init update",
    "plnkit.model": "*",
    "plnkit.solver": "solve Solution",
}  # fmt: skip
"""What computes, by module. Of modules below `jax.scipy`, too, all public names do."""
LIBRARIES = frozenset(module.partition(".")[0] for module in MODULES)
"""Their names at the top."""


def is_known(dotted: str) -> bool:
    """Whether a dotted name is a module of the grammar, or a name of one that computes.

    >>> is_known("jax.numpy.exp"), is_known("numpy.random.normal"), is_known("os")
    (True, False, False)
    """
    module, _, name = dotted.rpartition(".")
    if dotted.startswith("jax.scipy."):
        return not any(part.startswith("_") for part in dotted.split("."))
    names = words(MODULES.get(module, ""))
    is_public = "*" in names and name not in names and not name.startswith("_")
    return dotted in MODULES or is_public or ("*" not in names and name in names)


DEVICE_SETTINGS = words("jax_platforms jax_num_cpu_devices")
"""Settings that only say which devices there are; they can be made before anything runs."""

ONLY_NAMED = words(
    """builtins.type builtins.object builtins.set builtins.frozenset builtins.str builtins.repr
    builtins.format numpy.ndarray"""
)
"""Types that may stand in an annotation, or have a method that may be called."""
SHOWING = words("builtins.print builtins.display builtins.check autograder.check")
"""Functions that only show what they are given."""
BESIDE = words(
    """autograder plnkit numpy.random matplotlib time datetime random statistics collections pathlib
    tempfile string textwrap"""
)
"""Libraries of which nothing changes what computes: the words of computation read none of this."""
TELLING = words("__version__ __version_info__ __name__ __doc__")
"""Attributes that only tell what something is."""
REFLECTIVE = words(
    """exec eval compile globals locals vars getattr setattr delattr __import__ breakpoint
    get_ipython"""
)
"""Functions that reach a name or an attribute by its text."""

NUMBERS = words("builtins.float builtins.int builtins.complex builtins.bool")
"""Types of plain values, which jit replaces by tracers."""

TRANSFORMS = words(
    """jax.jit jax.vmap jax.grad jax.value_and_grad jax.jacfwd jax.jacrev jax.jacobian jax.hessian
    jax.checkpoint jax.remat jax.custom_jvp jax.custom_vjp jax.custom_gradient jax.named_call
    jax.linearize jax.ad_checkpoint.checkpoint jax.custom_derivatives.custom_vjp
    jax.custom_derivatives.custom_jvp jax.shard_map jax.experimental.shard_map.shard_map
    jax.experimental.checkify.checkify jax.tree_util.Partial functools.partial functools.wraps
    jax.numpy.vectorize"""
)
"""Functions that make a function of one."""
LOOPS = words("jax.lax.scan jax.lax.while_loop jax.lax.fori_loop")
"""Functions that rebuild containers and objects before they give them to a function."""
COMPARABLE = words("int float bool str tuple Tuple Callable Literal Optional Union typing")
"""Types whose values jit can compare, and what such types are written with."""
CONTAINERS = words("builtins.tuple builtins.list builtins.dict builtins.str jax.Array")
"""Types that a value is of, traced or not."""
INITIALIZERS = words("__init__ __post_init__")
MAKERS = INITIALIZERS | {"tree_unflatten"}
"""Methods that change only an object that nobody else has yet."""
DESCRIPTORS = words("builtins.property builtins.staticmethod builtins.classmethod")
CLASS_DECORATORS = words(
    """dataclasses.dataclass jax.tree_util.register_pytree_node_class
    jax.tree_util.register_pytree_with_keys_class jax.tree_util.register_dataclass
    jax.tree_util.register_static"""
)
CONTEXTS = words(
    """jax.named_scope jax.debug_nans jax.debug_infs jax.default_matmul_precision
    jax.numpy_dtype_promotion jax.numpy_rank_promotion jax.checking_leaks"""
)
"""Settings that end with the lines that they are made for, and are part of jit's key."""
NEW_ARRAYS = ("jax.numpy.", "jax.nn.", "jax.random.", "jax.scipy.", "math.", "jax.ops.")
"""What these modules return is new, or cannot change."""
NUMBER_RESULTS = words(
    """builtins.len builtins.int builtins.float builtins.bool builtins.complex builtins.range"""
)
"""Builtins that return numbers, or what is written as they are."""
OWN_RESULTS = words("zeros ones arange linspace eye identity")
OWN_IF_GIVEN = words("array full zeros_like ones_like")
"""Functions of NumPy whose arrays hold nothing else, and those that hold what is given."""
NEW_RESULTS = words(
    """builtins.list builtins.dict builtins.tuple builtins.sorted builtins.object.__new__
    dataclasses.replace"""
)
ITERATOR_RESULTS = words(
    """builtins.zip builtins.map builtins.filter builtins.enumerate builtins.reversed"""
)
"""Builtins that return an iterator; functions of `itertools` do, too."""

AS_VALUES = words("float int bool complex len abs max min sum pow round tuple list dict")
"""Builtins that may be passed on: what they return is a value, and they change nothing."""
CALLING = words("vectorize piecewise fromfunction")
"""Functions of jax.numpy that call what they are given."""
TAKES_ALL = words(
    """builtins.list builtins.tuple builtins.dict builtins.sum builtins.min builtins.max
    builtins.any builtins.all builtins.sorted builtins.enumerate builtins.zip builtins.map
    builtins.filter builtins.reversed functools.reduce"""
)
"""Functions that may be given an iterator: they use it up, or pass its values on."""

DATA = words(
    """shape ndim size dtype itemsize nbytes T mT real imag at
    eps tiny bits smallest_normal resolution
    eigenvalues eigenvectors U S Vh Q R sign logabsdet
    count mu nu inner_state inner_states hyperparams axis_names"""
)
"""Attributes of arrays, of what NumPy and JAX return, and of optax's states."""
CHANGING = words(
    """append extend insert pop remove clear sort reverse update setdefault add discard popitem fill
    put itemset resize partition setflags setfield byteswap appendleft popleft rotate move_to_end
    __setattr__ __setitem__ __iadd__ difference_update intersection_update
    symmetric_difference_update"""
)
"""Methods that change the list, dictionary, set or NumPy array that they are called on."""
DEFINING = words("defvjp defjvp defjvps def_vmap def_partition")
"""Methods that complete a function which is bound already."""
METHODS = words(
    """all any argmax argmin argsort astype clip conj conjugate copy cumprod cumsum diagonal dot
    flatten max mean min nonzero prod ptp ravel repeat reshape round searchsorted squeeze std sum
    swapaxes take trace transpose var view item tolist block_until_ready
    keys values items get index count
    split rsplit join strip lstrip rstrip lower upper title startswith endswith zfill replace
    bit_length is_integer
    init update
    lower compile eval_shape throw get
    _replace _asdict"""
)
"""Methods of arrays, dictionaries, texts and sets that change nothing, and those of optax."""
UPDATES = words("set add subtract multiply mul divide power apply min max get")
"""Methods of `x.at[...]`."""
PLAIN = words("shape ndim size dtype __name__ __doc__ __qualname__")
"""Attributes whose values, and texts, are the same for a traced array."""
HIDING = words(
    """flat base ctypes flags delete compile lower copy_to_host_async is_deleted is_ready traceback
    send close tofile dump aval weak_type format clear_cache unsafe_buffer_pointer
    addressable_data defvjp defjvp defjvps def_vmap def_partition defgrad memory_stats
    live_buffers live_executables client synchronize_all_activity transfer_to_infeed
    transfer_from_outfeed trace fromkeys swap freeze"""
)
"""What a library's object tells or does beside computing, whatever an own class means by it."""
LIBRARY_WORDS = CHANGING | DEFINING | METHODS | HIDING
"""What is not an own class's, of an object that is not known to be of one."""
ARITHMETIC = words(
    """__add__ __radd__ __sub__ __rsub__ __mul__ __rmul__ __truediv__ __rtruediv__ __matmul__
    __neg__ __pow__"""
)
SPECIAL = ARITHMETIC | words(
    """__init__ __post_init__ __call__ __len__ __getitem__ __iter__ __contains__ __repr__ __str__
    __getattr__"""
)
"""Special methods that an own class may define: computation that runs where it is written.

Not `__eq__` and `__hash__`, by which jit finds programs; not `__del__`, `__get__`, `__new__`,
`__setattr__`, `__init_subclass__` and such, which run at other times or change what a class is.
"""
WRITING_KEYWORDS = words("out overwrite_input overwrite_a overwrite_b overwrite_x inplace callback")
"""Keywords by which a library's function writes to an argument, or calls back."""


def is_callable_value(dotted: str) -> bool:
    """Whether a library's name may be passed on as a value.

    A function of NumPy may write to its last argument, jit and device_put may give theirs away,
    wraps changes its own, and itertools returns iterators: they are only called where they stand.
    """
    if dotted in ("jax.jit", "jax.device_put", "functools.wraps"):
        return False
    top, _, name = dotted.partition(".")
    if top == "builtins":
        return name in AS_VALUES or not name.islower()
    if top == "itertools" or dotted.startswith("collections.abc."):
        return False
    return top != "numpy" or dotted == "numpy.newaxis" or isinstance(_numpy(dotted), (type, float))


def _numpy(dotted: str) -> Any:
    import numpy

    found: Any = numpy
    for part in dotted.split(".")[1:]:
        found = getattr(found, part, None)
    return found


def is_dtype(node: ast.expr, dotted: str) -> bool:
    """Whether a data type is written out, so that it is none of NumPy's clocks."""
    match node:
        case ast.Constant(value=str(text)):
            return text.strip("<>=|") in _DTYPES
        case ast.Constant(value=None):
            return True
        case ast.Attribute(attr="dtype"):
            return True
        case ast.Call():
            return False
        case _:
            is_type = dotted in NUMBERS or dotted.startswith(("numpy.", "jax.numpy."))
            return is_type and is_known(dotted)


_DTYPES = words(
    """float16 float32 float64 bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool
    complex64 complex128 float int complex f f2 f4 f8 i i4 i8 u4 u8 d c8 c16"""
)


_TYPED = words(
    """array asarray asfortranarray ascontiguousarray zeros ones zeros_like ones_like indices
    identity"""
)
_THREE = words("where clip arange linspace logspace geomspace interp pad insert einsum")


def numpy_arguments(dotted: str) -> tuple[int, int]:
    """Return how many arguments a function of NumPy may be given by position.

    First those before the type of data, then those before an array that it writes to.
    """
    name, inputs = dotted.removeprefix("numpy."), getattr(_numpy(dotted), "nin", None)
    most = inputs or (3 if name in _THREE else 2)
    return (1 if name in _TYPED else most), most


METHOD_ARGUMENTS = {
    **dict.fromkeys(words("sum prod mean cumsum cumprod std var max min argmax argmin"), 1),
    **dict.fromkeys(words("all any dot round conj conjugate ptp astype"), 1),
    "clip": 2,
    "take": 2,
    "trace": 3,
}
"""Positional arguments of an array's methods, before one that it writes to."""
