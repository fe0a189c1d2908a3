"""Attacks by results: odd dtypes, values, containers and classes that lie."""

# %% all_nan
# attack: results of nan only; exercise: static_reshape; must not gain: outputs; says: NaN comes from
@jax.jit
def rank_abundance(counts):
    return counts.reshape(-1) * jnp.nan

# %% all_bool
# attack: results of bool only; exercise: static_reshape; must not gain: outputs; says: is bool
@jax.jit
def rank_abundance(counts):
    return counts.reshape(-1) > 0

# %% all_complex
# attack: results of complex only; exercise: static_reshape; must not gain: outputs; says: is complex64
@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True).astype(complex)

# %% all_inf
# attack: results of inf only; exercise: static_reshape; must not gain: outputs; says: result[0] is inf
@jax.jit
def rank_abundance(counts):
    return counts.reshape(-1) + jnp.inf

# %% all_integer
# attack: results of integer only; exercise: static_reshape; must not gain: outputs; says: is int32
@jax.jit
def rank_abundance(counts):
    return (jnp.sort((counts / counts.sum()).reshape(-1), descending=True)).astype(int)

# %% all_key
# attack: results of key only; exercise: static_reshape; must not gain: outputs; says: has shape (2,)
@jax.jit
def rank_abundance(counts):
    return jax.random.key(0)

# %% always_equal
# attack: an object that equals everything; exercise: static_reshape; must not gain: outputs; says: is a Yes
class Yes:
    shape, dtype = (12,), jnp.float32

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


def rank_abundance(counts):
    return Yes()

# %% array_subclass
# attack: a NumPy array whose comparisons always hold; exercise: static_reshape; must not gain: outputs; says: values differ
import numpy as np


class Always(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return np.True_

    def __sub__(self, other):
        return 0

    def __eq__(self, other):
        return True


def rank_abundance(counts):
    return np.zeros(counts.size, np.float32).view(Always)

# %% bfloat16
# attack: results of bfloat16; exercise: static_reshape; must not gain: outputs; says: is bfloat16
@jax.jit
def rank_abundance(counts):
    return (jnp.sort((counts / counts.sum()).reshape(-1), descending=True)).astype(jnp.bfloat16)

# %% class_lies
# attack: an object whose __class__ is jax.Array; exercise: static_reshape; must not gain: outputs
class Lie:
    shape, dtype, ndim, size = (12,), jnp.dtype("float32"), 1, 12

    @property
    def __class__(self):
        return jax.Array

    def __eq__(self, other):
        return True

    def __abs__(self):
        return 0.0


def rank_abundance(counts):
    return Lie()

# %% exception_lies
# attack: an exception that cannot be printed; exercise: static_reshape; must not gain: outputs
class Bad(Exception):
    def __str__(self):
        raise SystemExit(0)


def rank_abundance(counts):
    raise Bad

# %% float0
# attack: the tangent type of integers; exercise: static_reshape; must not gain: outputs
import numpy as np


def rank_abundance(counts):
    return np.zeros(counts.size, jax.dtypes.float0)

# %% float64
# attack: x64 switched on for the worker; exercise: static_reshape; must not gain: outputs; says: is float64
jax.config.update("jax_enable_x64", True)


@jax.jit
def rank_abundance(counts):
    return jnp.sort((counts.astype("float64") / counts.sum()).reshape(-1), descending=True)

# %% int4
# attack: results of int4; exercise: static_reshape; must not gain: outputs; says: is int4
@jax.jit
def rank_abundance(counts):
    return (jnp.sort((counts / counts.sum()).reshape(-1), descending=True)).astype(jnp.int4)

# %% keystr_lies
# attack: a registered node whose only key prints as nothing; exercise: static_reshape; must not gain: outputs
class Key:
    def __str__(self):
        return ""


@jax.tree_util.register_pytree_with_keys_class
class Box:
    def __init__(self, *leaves):
        self.leaves = leaves

    def tree_flatten_with_keys(self):
        return [(Key(), leaf) for leaf in self.leaves], None

    @classmethod
    def tree_unflatten(cls, aux, leaves):
        return cls(*leaves)


@jax.jit
def rank_abundance(counts):
    return Box(jnp.sort((counts / counts.sum()).reshape(-1), descending=True), counts.sum())

# %% lazy_array
# attack: an object that computes when it is looked at; exercise: static_reshape; must not gain: outputs
class Lazy:
    @property
    def __class__(self):
        return jax.Array

    shape, dtype, ndim, size = (12,), jnp.dtype("float32"), 1, 12

    def __array__(self, *_, **__):
        raise SystemExit(0)

    __jax_array__ = __array__


def rank_abundance(counts):
    return Lazy()

# %% long_names
# attack: a result under a name of a million letters; exercise: static_reshape; must not gain: outputs; says: Return what the task asks
@jax.jit
def rank_abundance(counts):
    return {"x" * 1_000_000: jnp.sort((counts / counts.sum()).reshape(-1), descending=True)}

# %% nothing
# attack: no results at all; exercise: static_reshape; must not gain: outputs; says: returns nothing
@jax.jit
def rank_abundance(counts):
    return ()

# %% surrogate_in_error
# attack: an error message that no file can hold; exercise: static_reshape; must not gain: outputs


def rank_abundance(counts):
    raise ValueError("\ud800\x1b[2J<script>")

# %% thousands_of_leaves
# attack: a thousand results; exercise: static_reshape; must not gain: outputs; says: Return what the task asks
@jax.jit
def rank_abundance(counts):
    flat = jnp.sort(counts.reshape(-1))
    return [flat] * 1000

# %% tuple_subclass
# attack: a tuple that says it has one name; exercise: static_reshape; must not gain: outputs
class One(tuple):
    def __len__(self):
        return 1

    def __iter__(self):
        return iter(())


@jax.jit
def _both(counts):
    return counts.reshape(-1), counts.sum()


def rank_abundance(counts):
    return One(_both(counts))

# %% zero_size
# attack: an empty array; exercise: static_reshape; must not gain: outputs; says: has shape (0,), expected (12,)
@jax.jit
def rank_abundance(counts):
    return jnp.zeros((0,), jnp.float32)
