"""The exported program: what is graded instead of the process that made it.

A student's function is traced on shapes and dtypes only and exported as StableHLO for CPU and
CUDA at once. The bytes are all that crosses to the judge, which runs them on inputs that the
student's process never saw.
"""

from __future__ import annotations

import _thread
import re
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import export, tree_util

from autograder.core import jax_internals as _jax_internals
from autograder.core.finding import StudentFacingError
from autograder.core.student_code import called

PLATFORMS = ("cpu", "cuda")
MAX_BYTES = 2_000_000
MAX_OPERATIONS = 5_000

ALLOWED_CUSTOM_CALLS = re.compile(
    r"(lapack_\w+_ffi|cusolver_\w+_ffi|cusolver_\w+|cublas_\w+_ffi|cu_lu_pivots_to_permutation"
    r"|cu_threefry2x32_ffi|cu_cholesky_update_ffi|Sharding|SPMDFullToShardShape"
    r"|SPMDShardToFullShape|ApproxTopK|annotate_device_placement)"
)
"""Custom calls that JAX's own linear algebra and random numbers lower to; all else is refused."""


DIALECTS = frozenset({"builtin", "func", "stablehlo", "chlo", "sdy"})
REFUSED_OPERATIONS = frozenset(
    {
        "stablehlo.infeed",
        "stablehlo.outfeed",
        "stablehlo.send",
        "stablehlo.recv",
        "stablehlo.create_token",
        "stablehlo.after_all",
        "stablehlo.all_gather",
        "stablehlo.all_reduce",
        "stablehlo.all_to_all",
        "stablehlo.collective_broadcast",
        "stablehlo.collective_permute",
        "stablehlo.reduce_scatter",
        "stablehlo.partition_id",
        "stablehlo.replica_id",
    }
)
"""What only talks to the outside or to other devices; JAX exports none of it from one device."""


class ProgramError(StudentFacingError):
    """A program that cannot be made, or must not be run. `rule` names why."""

    def __init__(self, rule: str, detail: str) -> None:
        super().__init__(detail)
        self.rule = rule


@dataclass(frozen=True)
class Program:
    """One exported call of the student's function.

    Attributes:
        blob: the serialized program (StableHLO), about 10 KB for a whole PLN fit.
        names: the path of each result leaf, such as ``"[0]"`` or ``".Sigma"``.
    """

    blob: bytes
    names: tuple[str, ...]


# --- arguments: NumPy arrays are data, everything else is static --------------------------------


def is_data(leaf: Any) -> bool:
    return isinstance(leaf, (np.ndarray, np.generic, jax.Array, jax.ShapeDtypeStruct))


def split_data(args: tuple) -> tuple[list[Any], Callable[[Sequence[Any]], tuple]]:
    """The data leaves of a call, and how to put others in their place."""
    leaves, tree = tree_util.tree_flatten(args)
    where = [i for i, leaf in enumerate(leaves) if is_data(leaf)]

    def rebuild(data: Sequence[Any]) -> tuple:
        filled = list(leaves)
        for i, value in zip(where, data, strict=True):
            filled[i] = value
        return tree_util.tree_unflatten(tree, filled)

    return [leaves[i] for i in where], rebuild


def abstract(args: tuple) -> tuple:
    """The call with shapes and dtypes for arrays: all that a student's process gets."""
    data, rebuild = split_data(args)
    return rebuild([jax.ShapeDtypeStruct(x.shape, x.dtype) for x in data])


def concrete(args: tuple) -> tuple:
    """The call with each NumPy array as a JAX array."""
    data, rebuild = split_data(args)
    return rebuild([jnp.asarray(x) for x in data])


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
            raise ProgramError("not-an-array", f"result{name} is a {type(leaf).__name__}")
        if isinstance(leaf, jax.Array) and jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            leaf = jax.random.key_data(leaf)
        names.append(name)
        leaves.append(jnp.asarray(leaf))
    return tuple(names), leaves


# --- the worker's side --------------------------------------------------------------------------


@contextmanager
def _raised_by_a_timer(seconds: float, stop: Callable[[], None]) -> Iterator[None]:
    """Have another thread interrupt this one, as Ctrl-C does; then `stop` says why."""
    expired = threading.Event()

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


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Stop endless tracing in the main thread; elsewhere do nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise ProgramError("trace-timeout", f"tracing took longer than {seconds:g} s")

    if not hasattr(signal, "SIGALRM"):  # Windows
        with _raised_by_a_timer(seconds, stop):
            yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def export_program(function: Callable[..., Any], args: tuple, seconds: float = 20.0) -> Program:
    """Trace `function` on the shapes and dtypes of `args` and export the program.

    Args:
        function: the student's function as the rubric calls it.
        args: the call; data leaves may be arrays or `jax.ShapeDtypeStruct`, only their shapes and
            dtypes are used; other leaves are passed as they are.
        seconds: wall-clock limit for tracing.

    Raises:
        ProgramError: side effects, callbacks, or a result that is not made of arrays.
        Exception: whatever the student's function raises while it is traced.
    """
    data, rebuild = split_data(args)
    specs = [jax.ShapeDtypeStruct(x.shape, x.dtype) for x in data]
    names: tuple[str, ...] = ()

    def flat(*leaves: jax.Array) -> tuple[jax.Array, ...]:
        nonlocal names
        names, results = named_leaves(called(function, *rebuild(leaves)))
        return tuple(results)

    # How products are rounded is fixed here: no TF32 when the program runs on a GPU.
    with time_limit(seconds), jax.default_matmul_precision("highest"):
        jitted = jax.jit(flat, keep_unused=True)
        effects = sorted(str(effect) for effect in jitted.trace(*specs).jaxpr.effects)
        if effects:
            raise ProgramError("effects", ", ".join(effects))
        try:
            exported = export.export(jitted, platforms=PLATFORMS)(*specs)
            blob = bytes(exported.serialize())
        except NotImplementedError as error:  # how jax.export refuses host callbacks
            raise ProgramError("callback", str(error).splitlines()[0]) from None
    if len(blob) > MAX_BYTES:
        raise ProgramError("too-large", f"{len(blob):,} bytes")
    return Program(blob, names)


# --- the judge's side ---------------------------------------------------------------------------


def load_program(blob: bytes) -> export.Exported:
    """Deserialize an untrusted program and refuse what must not run.

    Raises:
        ProgramError: not a program, too large, effects, or a custom call not on the allow-list.
    """
    return _loaded(blob)[0]


def inspect_program(blob: bytes) -> _jax_internals.Inspection:
    """What an untrusted program holds. Raises as `load_program` does."""
    return _loaded(blob)[1]


@lru_cache(maxsize=32)
def _loaded(blob: bytes) -> tuple[export.Exported, _jax_internals.Inspection]:
    if len(blob) > MAX_BYTES:
        raise ProgramError("too-large", f"{len(blob):,} bytes")
    try:
        exported = export.deserialize(bytearray(blob))
    except Exception as error:
        raise ProgramError("unreadable-program", f"{type(error).__name__}: {error}") from None
    if tuple(exported.platforms) != PLATFORMS or exported.nr_devices != 1:
        raise ProgramError("foreign", f"made for {exported.nr_devices} x {exported.platforms}")
    try:
        module = _jax_internals.inspect_module(exported.mlir_module())
    except Exception as error:
        raise ProgramError("unreadable-program", f"{type(error).__name__}: {error}") from None
    foreign = sorted(
        name
        for name in module.names
        if name.split(".")[0] not in DIALECTS or name in REFUSED_OPERATIONS
    )
    if foreign:
        raise ProgramError("foreign", ", ".join(foreign))
    refused = sorted(c for c in module.custom_calls if not ALLOWED_CUSTOM_CALLS.fullmatch(c))
    if refused:
        raise ProgramError("custom-call", ", ".join(refused))
    if module.operations > MAX_OPERATIONS:
        raise ProgramError("too-large", f"{module.operations:,} operations")
    if exported.ordered_effects or exported.unordered_effects:
        raise ProgramError("effects", "the program has side effects")
    if any(name.startswith("lapack_") for name in module.custom_calls):
        _jax_internals.look_up_lapack()
    return exported, module


@lru_cache(maxsize=32)
def scratch_bytes(blob: bytes) -> int:
    """Bytes that XLA sets aside for results between operations when this program runs here.

    Raises as `load_program` does.
    """
    exported = load_program(blob)
    specs = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in exported.in_avals]
    analysis = jax.jit(exported.call).lower(*specs).compile().memory_analysis()
    return 0 if analysis is None else int(analysis.temp_size_in_bytes)


def runnable(exported: export.Exported) -> Callable[[tuple], list[np.ndarray]]:
    """A function that runs a loaded program on the data leaves of a call.

    It returns the results as NumPy arrays and raises `ProgramError` (``other-inputs``) when the
    program was exported for inputs of other shapes or dtypes.
    """
    expected = [(a.shape, np.dtype(a.dtype)) for a in exported.in_avals]
    compiled = jax.jit(exported.call)

    def run(args: tuple) -> list[np.ndarray]:
        data, _ = split_data(args)
        given = [(x.shape, np.dtype(x.dtype)) for x in data]
        if expected != given:
            raise ProgramError("other-inputs", f"made for {expected}, called with {given}")
        return [np.asarray(x) for x in compiled(*data)]

    return run
