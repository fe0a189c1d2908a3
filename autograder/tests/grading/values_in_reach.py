"""Values of every kind that an admitted solution can hold, for the test of the allow-list."""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import importlib
import inspect
import io
import json
import random
import re
import statistics
import sys
import time
import timeit
import types
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

_IMMUTABLE_TYPE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE


class Pair(NamedTuple):
    """Of a student's own."""

    first: Any
    second: Any


@dataclasses.dataclass
class Point:
    """Of a student's own."""

    x: float = 0.0


class Colour(enum.Enum):
    """Of a student's own."""

    RED = 1


@contextlib.contextmanager
def _managed() -> Iterator[None]:
    yield


def _generator() -> Iterator[int]:
    yield 1


def _plain(x: Any) -> Any:
    return x


async def _coroutine() -> None: ...


def _of_python() -> list[Any]:
    coroutine = _coroutine()
    coroutine.close()
    try:
        raise ValueError("raised")
    except ValueError as error:
        raised = error
    trace = raised.__traceback__
    assert trace is not None
    return [
        *(0, 0.0, 0j, True, None, ..., "", b"", bytearray(), (), [], {}, set(), frozenset()),
        memoryview(b""),
        *(
            range(3),
            slice(1),
            iter([]),
            iter(()),
            iter({}),
            iter(""),
            map(abs, []),
            zip(),
            NotImplemented,
        ),
        *(enumerate([]), filter(None, []), reversed([]), {}.keys(), {}.values(), {}.items()),
        *(_plain, lambda: 0, len, "".join, Point().__init__, _generator(), coroutine, Point, type),
        *(property(_plain), classmethod(_plain), staticmethod(_plain), functools.partial(_plain)),
        *(functools.lru_cache(_plain), functools.cached_property(_plain), super(Point, Point())),
        *(
            raised,
            trace,
            trace.tb_frame,
            trace.tb_frame.f_code,
            SystemExit(),
            KeyError(),
            OSError(),
        ),
        *(ImportError(), SyntaxError(), StopIteration(), UnicodeError(), NameError("x"), Warning()),
        *(AttributeError("x"), sys.modules, types.SimpleNamespace(), types.MappingProxyType({})),
        *(fractions.Fraction(1), decimal.Decimal(1), collections.deque(), collections.Counter()),
        *(
            collections.OrderedDict(),
            collections.defaultdict(int),
            collections.ChainMap(),
            Pair(0, 0),
        ),
        *(Colour.RED, Colour, dataclasses.fields(Point)[0], random.Random(0), time.gmtime(0)),
        *(
            statistics.NormalDist(),
            timeit.Timer(),
            re.compile("a"),
            re.match("a", "a"),
            io.StringIO(),
        ),
        *(
            io.BytesIO(),
            _managed(),
            contextlib.nullcontext(),
            contextlib.suppress(OSError),
            copy.Error(),
        ),
        *(
            contextlib.closing(io.StringIO()),
            datetime.datetime.min,
            datetime.timedelta(),
            datetime.date.min,
        ),
        *(json.JSONDecodeError("", "", 0), dataclasses.FrozenInstanceError()),
    ]


def _of_numpy() -> list[Any]:
    array = np.zeros((2, 2), np.float32)
    return [
        *(array, array[0, 0], np.float64(0), np.int32(0), np.bool_(0), np.str_("a"), array.dtype),
        *(array.flat, np.finfo(np.float32), np.iinfo(np.int32), np.random.default_rng(0), np.sin),
        *(np.poly1d([1]), np.vectorize(_plain), np.linalg.LinAlgError(), np.ix_([0]), np.mgrid),
        *(np.datetime64(0, "s"), np.timedelta64(0, "s"), np.linalg.slogdet(np.eye(2))),
        *(np.r_, np.s_),
    ]


def _tracers() -> list[Any]:
    seen: list[Any] = []

    def watch(x: Any) -> Any:
        seen.append(x)
        return x

    one = jnp.ones(())
    jax.jit(watch).trace(one)
    jax.grad(watch)(one)
    jax.vmap(watch)(jnp.ones(2))
    jax.jvp(watch, (one,), (one,))
    jax.linearize(watch, one)
    jax.lax.scan(lambda c, x: (watch(c), x), one, jnp.ones(2))
    jax.make_jaxpr(watch)(one)
    return seen


def _of_jax() -> list[Any]:
    one = jnp.ones((2, 2))
    jitted = jax.jit(_plain)
    traced, lowered = jitted.trace(one), jitted.lower(one)
    compiled = lowered.compile()
    closed = jax.make_jaxpr(lambda x: jnp.sin(x) + 1.0)(one)
    custom_jvp, custom_vjp = jax.custom_jvp(_plain), jax.custom_vjp(_plain)
    leaves, structure = jax.tree.flatten({"a": one})
    with_path = jax.tree_util.tree_leaves_with_path({"a": [one]})
    keys = [*(key for path, _ in with_path for key in path), jax.tree_util.FlattenedIndexKey(0)]
    keys.append(jax.tree_util.GetAttrKey("a"))
    mesh = jax.make_mesh((1,), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    adam = optax.adam(0.1)
    return [
        *(
            one,
            one[0, 0],
            jax.random.key(0),
            jax.random.key(0).dtype,
            one.at,
            one.at[0],
            one.sharding,
            one.device,
        ),
        *(jax.typeof(one), jax.typeof(one).sharding, jax.ShapeDtypeStruct((2,), jnp.float32)),
        *(jitted, traced, lowered, compiled, compiled.memory_analysis(), lowered.args_info),
        *(lowered.compiler_ir(), compiled.in_tree, closed, closed.jaxpr),
        *(custom_jvp, custom_vjp, leaves, structure, *keys),
        *(mesh, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec()), jnp.sin, jnp.add),
        *(
            jax.sharding.PartitionSpec(),
            jax.devices()[0],
            jnp.finfo(jnp.float32),
            jnp.dtype("int4"),
        ),
        *(
            jax.tree_util.Partial(_plain),
            jax.export.export(jitted)(one),
            jax.new_ref(one),
            jnp.float32,
        ),
        *(
            adam,
            adam.init(one),
            *jax.tree.leaves(adam.init(one)),
            optax.cosine_decay_schedule(0.1, 2),
        ),
        *(jax.named_scope("a"), jax.ensure_compile_time_eval(), jax.vjp(_plain, one)[1]),
        *(jax.errors.UnexpectedTracerError("x"), jax.jit(_plain).eval_shape(one), jax.config),
        *_tracers(),
    ]


def values() -> list[Any]:
    """Return one value of every kind."""
    return [*_of_python(), *_of_numpy(), *_of_jax()]


def reached(public: dict[str, frozenset[str]]) -> tuple[set[str], set[str]]:
    """Return names that lead further and names that can be set, over all values and classes."""
    own = {Pair, Point, Colour}
    every = [v for v in values() if not any(v is kind or type(v) is kind for kind in own)]
    with_values = {kind for value in every for kind in type(value).__mro__}
    further: set[str] = set()
    settable: set[str] = set()
    for value in [*every, *public_values(public)]:
        leads, can_be_set = attribute_names(value, with_values)
        further |= leads
        settable |= can_be_set
    return further, settable


def public_values(public: dict[str, frozenset[str]]) -> list[Any]:
    """Return what is installed of the listed public names."""
    found = []
    for module_name, names in public.items():
        # What the kit's own model returns is listed by itself (`kit_members`).
        if module_name == "jax.config" or module_name.startswith(("autograder", "plnkit", "matpl")):
            continue
        module = importlib.import_module(module_name)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # still there in this version
            found += [getattr(module, name) for name in sorted(names) if hasattr(module, name)]
    return found


_DESCRIPTORS = (
    property,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.WrapperDescriptorType,
    types.MethodDescriptorType,
    functools.cached_property,
)


def _is_data(value: Any) -> bool:
    """Whether nothing further can be reached from a value."""
    if isinstance(value, tuple):
        return all(_is_data(element) for element in value)
    if isinstance(value, np.ndarray):
        return not value.flags.writeable
    plain = (str, bytes, int, float, complex, np.generic, jax.Array, np.dtype)
    return value is None or value is ... or isinstance(value, plain)


def attribute_names(value: Any, with_values: set[type]) -> tuple[set[str], set[str]]:
    """Return the names of attributes that lead further than to data, and of those that can be set.

    The fields of named tuples are left out: they hold what was put there, and cannot be set. What
    describes an attribute to a class leads nowhere itself; for the classes in `with_values`, the
    attributes of their values are looked at.
    """
    kind = value if isinstance(value, type) else type(value)
    fields = set(getattr(kind, "_fields", ()))
    settable = set(getattr(value, "__dict__", ()))
    every = set(dir(kind)) | set(dir(value))
    metaclasses = inspect.getmro(type(kind)) if kind is value else ()
    for owner in (*inspect.getmro(kind), *metaclasses):
        every |= set(vars(owner))  # `dir` hides what an enumeration has
        every |= set(inspect.get_annotations(owner))
        if not owner.__flags__ & _IMMUTABLE_TYPE:
            settable |= set(vars(owner))
    further: set[str] = set()
    todo, done = every - fields, fields
    while todo:  # reading an attribute may store another
        for name in todo:
            try:
                found = getattr(value, name)
            except Exception:
                further.add(name)
                continue
            # What an exception holds depends on where it was raised.
            held = not isinstance(value, BaseException) and _is_data(found)
            described = isinstance(value, type) and value in with_values
            if not (held or (described and isinstance(found, _DESCRIPTORS))):
                further.add(name)
        done = done | todo
        todo = set(dir(value)) - done
    settable |= set(getattr(value, "__dict__", ()))
    public = {name for name in settable - fields if not name.startswith("__")}
    return {name for name in further if not name.startswith("__")}, public
