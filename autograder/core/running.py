"""The judge's side of exported programs: loads what is allowed, and runs it once for each input."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import jax
import numpy as np
from jax import export

from autograder.core.jax_internals import Inspection, inspect_module, look_up_lapack
from autograder.core.program import MAX_BYTES, PLATFORMS, ProgramError, split_data

MAX_OPERATIONS = 5_000
DIALECTS = frozenset({"builtin", "func", "stablehlo", "chlo", "sdy"})
ALLOWED_CUSTOM_CALLS = re.compile(
    r"(lapack_\w+_ffi|cusolver_\w+_ffi|cusolver_\w+|cublas_\w+_ffi|cu_lu_pivots_to_permutation"
    r"|cu_threefry2x32_ffi|cu_cholesky_update_ffi|Sharding|SPMDFullToShardShape"
    r"|SPMDShardToFullShape|ApproxTopK|annotate_device_placement)"
)
"""Custom calls that JAX's own linear algebra and random numbers lower to; others are refused."""

_REFUSED = """
    infeed outfeed send recv create_token after_all all_gather all_reduce all_to_all
    collective_broadcast collective_permute reduce_scatter partition_id replica_id
"""
REFUSED_OPERATIONS = frozenset(f"stablehlo.{name}" for name in _REFUSED.split())
"""Operations that only communicate with the outside or with other devices. JAX exports none of
them from one device."""


def load_program(blob: bytes) -> export.Exported:
    """Deserialize an untrusted program, and refuse what must not run.

    Raises:
        ProgramError: not a program, too large, effects, or a custom call not on the allow-list.
    """
    return _load(blob)[0]


def inspect_program(blob: bytes) -> Inspection:
    """Return what an untrusted program holds. Raises as `load_program` does."""
    return _load(blob)[1]


@lru_cache(maxsize=32)
def _load(blob: bytes) -> tuple[export.Exported, Inspection]:
    if len(blob) > MAX_BYTES:
        raise ProgramError("too-large", f"{len(blob):,} bytes")
    try:
        exported = export.deserialize(bytearray(blob))
        module = inspect_module(exported.mlir_module())
    except Exception as error:
        raise ProgramError("unreadable-program", f"{type(error).__name__}: {error}") from None
    if tuple(exported.platforms) != PLATFORMS or exported.nr_devices != 1:
        raise ProgramError("foreign", f"made for {exported.nr_devices} x {exported.platforms}")
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
        look_up_lapack()
    return exported, module


@lru_cache(maxsize=32)
def scratch_bytes(blob: bytes) -> int:
    """Return the bytes that XLA sets aside for intermediate results when this program runs here.

    Raises as `load_program` does.
    """
    exported = load_program(blob)
    specs = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in exported.in_avals]
    analysis = jax.jit(exported.call).lower(*specs).compile().memory_analysis()
    return 0 if analysis is None else int(analysis.temp_size_in_bytes)


@lru_cache(maxsize=16)
def ready(blob: bytes) -> Callable[[tuple], list[np.ndarray]]:
    """Load a program, and return a function that runs it on the data leaves of a call.

    It is compiled once, however many calls it serves. The function raises `ProgramError`
    (``other-inputs``) when the program was exported for inputs of other shapes or dtypes.
    """
    exported = load_program(blob)
    expected = [(a.shape, np.dtype(a.dtype)) for a in exported.in_avals]
    compiled = jax.jit(exported.call)

    def run(args: tuple) -> list[np.ndarray]:
        data, _ = split_data(args)
        given = [(x.shape, np.dtype(x.dtype)) for x in data]
        if expected != given:
            raise ProgramError("other-inputs", f"made for {expected}, called with {given}")
        return [np.asarray(x) for x in compiled(*data)]

    return run


class ResultCache:
    """Results of one request's programs: none runs twice on the same data."""

    def __init__(self) -> None:
        self._results: dict[tuple, list[np.ndarray]] = {}

    def run(self, blob: bytes, args: tuple) -> list[np.ndarray]:
        data, _ = split_data(args)
        key = (blob, *(x.tobytes() for x in data))
        if key not in self._results:
            self._results[key] = ready(blob)(args)
        return self._results[key]
