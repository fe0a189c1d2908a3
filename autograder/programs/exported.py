"""The exported program: it is graded, instead of the process that made it.

A student's function is traced on shapes and dtypes only and exported as StableHLO, for CPU and CUDA
at once. Only the bytes go to the judge, which loads what is allowed and runs it on inputs that the
student's process never saw.
"""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, tree_util

from autograder.model.call_text import kind_of
from autograder.model.program import MAX_BYTES, Program, ProgramError
from autograder.model.student_code import called
from autograder.programs import jax_access
from autograder.programs.jax_private import (
    Inspection,
    find_leak_in,
    inspect_module,
    look_up_lapack,
    passing_checks,
    plain_calls,
    split_callbacks,
    unnumbered_checks,
    unrolled_size,
    without_locations,
    written_size,
)

PLATFORMS = ("cpu", "cuda")
MAX_EQUATIONS = 3_000
"""Of a jaxpr, in loops and functions once; a Python loop is unrolled where there are more. How many
operations a program has for them depends on the release of JAX, up to ten times as many."""
MAX_UNROLLED = 50_000
"""Equations once XLA has written out all loops and functions; more take minutes to compile."""

DIALECTS = frozenset({"builtin", "func", "stablehlo", "chlo", "sdy"})


def _stablehlo(names: str) -> frozenset[str]:
    return frozenset(f"stablehlo.{name}" for name in names.split())


REFUSED_OPERATIONS = _stablehlo("infeed outfeed send recv create_token after_all")
"""Operations that only communicate with the outside."""
COLLECTIVES = _stablehlo("""
    all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter
    partition_id replica_id
""")
"""Operations that communicate with other devices. JAX exports none of them from one device."""

OWN_REFERENCE = "InternalMutableArrayEffect"
"""Of a `jax.new_ref` that the function makes and uses up itself: nobody else sees it."""
UNCHECKED = "ErrorEffect"
"""Of a check of `checkify` under jit that nothing has transformed: JAX says so, when it lowers."""
REFERENCE_EFFECTS = frozenset({"ReadEffect", "WriteEffect", "AccumEffect"})
"""Of a reference that was made outside of the function."""


# --- arguments: NumPy arrays are data, everything else is static --------------------------------


def is_data(leaf: Any) -> bool:
    """Return whether an argument is data: an array, or its shape and dtype."""
    return isinstance(leaf, (np.ndarray, np.generic, jax.Array, jax.ShapeDtypeStruct))


def split_data(args: tuple) -> tuple[list[Any], Callable[[Sequence[Any]], tuple]]:
    """Return the data leaves of a call, and a function that rebuilds the call from other leaves."""
    leaves, tree = tree_util.tree_flatten(args)
    indices = [i for i, leaf in enumerate(leaves) if is_data(leaf)]

    def rebuild(data: Sequence[Any]) -> tuple:
        filled = list(leaves)
        for i, value in zip(indices, data, strict=True):
            filled[i] = value
        return tree_util.tree_unflatten(tree, filled)

    return [leaves[i] for i in indices], rebuild


def abstract(args: tuple) -> tuple:
    """Replace the arrays of a call by shapes and dtypes: all that a student's process gets."""
    data, rebuild = split_data(args)
    return rebuild([jax.ShapeDtypeStruct(x.shape, x.dtype) for x in data])


def concrete(args: tuple) -> tuple:
    """Replace the arrays of a call by JAX arrays that the call may use up: nobody else has them.

    Nothing is compiled for NumPy arrays.
    """
    data, rebuild = split_data(args)
    return rebuild([_fresh(x) for x in data])


def is_numbers(array: jax.Array) -> bool:
    """Whether NumPy can hold all of an array: jit tells no other array of these numbers from it."""
    is_key = jnp.issubdtype(array.dtype, jax.dtypes.extended)
    return not (is_key or array.weak_type or array.committed)


def _fresh(array: Any) -> jax.Array:
    if isinstance(array, jax.Array) and not is_numbers(array):
        return array.copy()
    return jax.device_put(np.array(array))


def named_leaves(result: Any) -> tuple[tuple[str, ...], list[jax.Array]]:
    """Flatten a result to plain arrays with their paths; typed PRNG keys become key data.

    Raises:
        ProgramError: ``not-an-array`` when a leaf is something else (a string, None, an object).
    """
    flat, _ = tree_util.tree_flatten_with_path(result, is_leaf=lambda x: x is None)
    names, leaves = [], []
    for path, leaf in flat:
        name = tree_util.keystr(path)
        if not isinstance(leaf, (jax.Array, np.ndarray, np.generic, bool, int, float, complex)):
            kind = kind_of(leaf)
            raise ProgramError("not-an-array", f"result{name} is {kind}")
        if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            leaf = jax.random.key_data(leaf)
        names.append(name)
        leaves.append(jnp.asarray(leaf))
    return tuple(names), leaves


FLOATS = {"float": "float", "complex": "complex"}
NUMBERS = {"int": "number", "float": "number"}
"""Types of values that are one for a student, and what to call them all."""


def _leaf_signature(leaf: Any) -> tuple:
    if is_data(leaf):
        return (str(leaf.dtype), tuple(leaf.shape), bool(getattr(leaf, "weak_type", False)))
    # JAX itself reports a static value without a hash.
    return (type(leaf).__name__, *([leaf] if isinstance(leaf, Hashable) else []))


def signature(args: tuple) -> tuple:
    """Return what a call may be compiled for: structure, shapes, dtypes, weak types, statics.

    All values but arrays may be static. They count by type and value, as in jit's key: 1, 1.0 and
    True are three values; 0.0 and -0.0 are one, and so is the same NaN object.
    """
    leaves, tree = jax.tree.flatten(args)
    return (*map(_leaf_signature, leaves), tree)


def without_values(key: tuple, names: Mapping[str, str]) -> tuple:
    """Return a signature in which all plain values of these types are the same."""
    *leaves, tree = key
    return (*((names[leaf[0]],) if leaf[0] in names else leaf for leaf in leaves), tree)


# --- export -------------------------------------------------------------------------------------


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop endless tracing in the main thread; in other threads do nothing."""

    def stop(*_: object) -> None:
        raise ProgramError("trace-timeout", f"tracing took longer than {seconds:g} s")

    if threading.current_thread() is not threading.main_thread():
        yield
    elif not hasattr(signal, "SIGALRM"):  # Windows
        with _interrupt_after(seconds, stop):
            yield
    else:
        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


@contextmanager
def _interrupt_after(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Interrupt the main thread from another one, as Ctrl-C does, and then call `stop`."""
    expired = threading.Event()
    # Nothing interrupts a process that ignores Ctrl-C, as one in the background of a shell does.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def expire() -> None:
        expired.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, expire)
    timer.daemon = True
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if not expired.is_set():
            raise
        stop()
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before or signal.SIG_DFL)


@contextmanager
def as_exported() -> Iterator[None]:
    """Round products as in an exported program.

    A GPU would take TF32 for them, a TPU bfloat16, and a right function would disagree with its
    program. A CPU does not, so there nothing has to be compiled again.
    """
    if jax_access.default_backend() == "cpu":
        yield
        return
    with jax.default_matmul_precision("highest"):
        yield


def export_program(
    function: Callable[..., Any],
    args: tuple,
    seconds: float = 20.0,
    *,
    on_callbacks: Callable[[Sequence[Any]], None] | None = None,
    located: bool = False,
) -> Program:
    """Trace `function` on the shapes and dtypes of `args` and export the program.

    Args:
        function: the student's function as the rubric calls it.
        args: the call; data leaves may be arrays or `jax.ShapeDtypeStruct`, and only their shapes
            and dtypes are used; other leaves are passed as they are.
        seconds: wall-clock limit for tracing.
        on_callbacks: is given the equations that call back into Python and return nothing, such
            as `jax.debug.print`, which are left out of the program; if None, they are side
            effects like others.
        located: whether the program holds the lines that it was traced from. Without them, the
            same program is the same bytes wherever its source stands.

    Raises:
        ProgramError: side effects, callbacks, or a result that is not made of arrays.
        Exception: whatever the student's function raises while it is traced.
    """
    data, rebuild = split_data(args)
    specs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in data]
    names: tuple[str, ...] = ()

    def flat(*leaves: jax.Array) -> tuple[jax.Array, ...]:
        nonlocal names
        with passing_checks():
            names, results = named_leaves(called(function, *rebuild(leaves)))
        return tuple(results)

    # This fixes how products are rounded: no TF32 when the program runs on a GPU.
    with (
        time_limit(seconds),
        jax.default_matmul_precision("highest"),
        plain_calls(),
        unnumbered_checks(),
        nullcontext() if located else without_locations(),
    ):
        jitted = jax.jit(flat, keep_unused=True)
        found = jitted.trace(*specs)
        if (leak := find_leak_in(found)) is not None:
            raise leak
        traced = found.jaxpr
        if on_callbacks is not None:
            traced, callbacks = split_callbacks(traced)
            if callbacks:
                on_callbacks(callbacks)
                jitted = jax.jit(jax_access.as_function(traced), keep_unused=True)
        kinds = {type(effect).__name__: effect for effect in traced.effects}
        for name in (OWN_REFERENCE, UNCHECKED):
            kinds.pop(name, None)
        if REFERENCE_EFFECTS & kinds.keys():
            raise ProgramError("outer-reference")
        if kinds:
            raise ProgramError("effects", ", ".join(sorted(map(str, kinds.values()))))
        for measure, most in (written_size, MAX_EQUATIONS), (unrolled_size, MAX_UNROLLED):
            if (size := measure(traced)) > most:
                raise ProgramError("too-large", f"{size:,} operations")
        try:
            exported = export.export(jitted, platforms=PLATFORMS)(*specs)
            blob = bytes(exported.serialize())
        except NotImplementedError as error:  # how jax.export refuses host callbacks
            raise ProgramError("callback", str(error).splitlines()[0]) from None
    if len(blob) > MAX_BYTES:
        raise ProgramError("too-large", f"{len(blob):,} bytes")
    return Program(blob, names)


# --- loading ------------------------------------------------------------------------------------


def load_program(blob: bytes, devices: int = 1) -> export.Exported:
    """Deserialize an untrusted program, and refuse what must not run.

    Args:
        blob: the serialized program.
        devices: on how many it may run.

    Raises:
        ProgramError: not a program, too large, effects, or a custom call that JAX does not make.
    """
    return _load(blob, devices)[0]


def inspect_program(blob: bytes, devices: int = 1) -> Inspection:
    """Return what an untrusted program holds. Raises as `load_program` does."""
    return _load(blob, devices)[1]


@lru_cache(maxsize=32)
def _load(blob: bytes, devices: int) -> tuple[export.Exported, Inspection]:
    if len(blob) > MAX_BYTES:
        raise ProgramError("too-large", f"{len(blob):,} bytes")
    try:
        exported = export.deserialize(bytearray(blob))
        module = inspect_module(exported.mlir_module())
    except Exception as error:
        raise ProgramError("unreadable-program", f"{type(error).__name__}: {error}") from None
    if tuple(exported.platforms) != PLATFORMS or not 1 <= exported.nr_devices <= devices:
        raise ProgramError("foreign", f"made for {exported.nr_devices} x {exported.platforms}")
    refused = REFUSED_OPERATIONS if devices > 1 else REFUSED_OPERATIONS | COLLECTIVES
    foreign = sorted(
        name for name in module.names if name.split(".")[0] not in DIALECTS or name in refused
    )
    if foreign:
        raise ProgramError("foreign", ", ".join(foreign))
    if module.refused:
        raise ProgramError("custom-call", ", ".join(sorted(module.refused)))
    if exported.ordered_effects or exported.unordered_effects:
        raise ProgramError("effects", "the program has side effects")
    if any(name.startswith("lapack_") for name in module.custom_calls):
        look_up_lapack()
    return exported, module
