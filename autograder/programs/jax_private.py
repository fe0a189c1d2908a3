"""Reads MLIR modules and jaxprs by private parts of JAX: a release that moves them breaks here."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any, NamedTuple
from unittest.mock import patch

import jax
import jax.numpy as jnp
from jax._src import checkify, config, core, jaxpr_util, pjit
from jax._src.interpreters import mlir
from jax._src.interpreters import partial_eval as pe
from jaxlib.mlir import ir

from autograder.model.student_code import Line, called
from autograder.programs.custom_calls import why_refused


@dataclass
class Inspection:
    """What an MLIR module holds.

    Attributes:
        operations: how many, without functions and returns. A call of a function counts: XLA puts
            the whole function in its place.
        names: of all operations.
        custom_calls: the functions that it calls.
        refused: why custom calls must not be made (`autograder.programs.custom_calls`).
        loops: how many loops a call runs one after another, also in functions that are called
            several times. Those count that are at least half as large as the largest.
    """

    operations: int = 0
    names: set[str] = field(default_factory=set)
    custom_calls: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    loops: int = 0


_NO_OPERATIONS = {"builtin.module", "func.func", "func.return", "stablehlo.return"}


def inspect_module(module: Any) -> Inspection:
    """Walk an MLIR module, given as text or bytecode."""
    found = Inspection()

    def visit(op: ir.Operation) -> ir.WalkResult:
        found.names.add(op.name)
        if op.name not in _NO_OPERATIONS:
            found.operations += 1
        if op.name == "stablehlo.custom_call":
            found.custom_calls.add(ir.StringAttr(op.attributes["call_target_name"]).value)
            refused = why_refused(op)
            if refused is not None:
                found.refused.add(refused)
        return ir.WalkResult.ADVANCE

    with mlir.make_ir_context():
        parsed = ir.Module.parse(module)
        parsed.operation.walk(visit)
        found.loops = _count_loops(parsed)
    return found


_MOST_LOOPS = 10**6
_DEEPEST = 50
"""Calls inside of calls that are followed: a module may be forged."""


def _count_loops(module: ir.Module) -> int:
    """Count the loops that `main` runs one after another; see `Inspection.loops`."""
    functions = {ir.StringAttr(f.attributes["sym_name"]).value: f for f in module.body}
    known: dict[str, tuple[int, Counter[int]]] = {}

    def called(op: ir.Operation, depth: int) -> tuple[int, Counter[int]]:
        name = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
        if name not in known:
            known[name] = 0, Counter()  # one that calls itself
            if name in functions and depth < _DEEPEST:
                known[name] = within(functions[name].operation, depth + 1)
        return known[name]

    def within(op: ir.Operation, depth: int) -> tuple[int, Counter[int]]:
        """How many operations are in an operation, and its loops that are in no other, by size."""
        size, loops = 0, Counter[int]()
        for region in op.regions:
            for block in region:
                for view in block:
                    inner = view.operation
                    find = called if inner.name == "func.call" else within
                    more, found = find(inner, depth)
                    size += 1 + more
                    loops.update({more: 1} if inner.name == "stablehlo.while" else found)
        return min(size, _MOST_LOOPS), Counter({s: min(n, _MOST_LOOPS) for s, n in loops.items()})

    main = functions.get("main")
    loops = Counter[int]() if main is None else within(main.operation, 0)[1]
    return sum(count for size, count in loops.items() if 2 * size >= max(loops))


def without_locations() -> AbstractContextManager[object]:
    """Context manager: what is lowered does not tell from which lines it was traced."""
    return config.traceback_in_locations_limit(0)


@lru_cache(maxsize=1)
def look_up_lapack() -> None:
    """Let programs that were compiled elsewhere call LAPACK.

    JAX 0.9 looks LAPACK's routines up when it first lowers a call to one. A loaded program is never
    lowered, so it would call the address 0.
    """
    jax.jit(jnp.linalg.cholesky).lower(jax.ShapeDtypeStruct((1, 1), jnp.float32))


@dataclass(frozen=True)
class Difference:
    """The first operation in which two programs differ, and the student's line it comes from."""

    operation: str
    line: int | None


_LOCATION = re.compile(r'"(?:[^"]+\.py|<[^">]+>)":(\d+):')
_NAME = re.compile(r"%\w+")
_JAX_HOME = os.path.dirname(jax.__file__) + os.sep


def first_difference(module: Any, other: Any) -> Difference | None:
    """Compare two MLIR modules without their source locations; None when they are equal."""
    with mlir.make_ir_context():
        first, second = (ir.Module.parse(m).operation for m in (module, other))
        # With `use_local_scope`, an operation is one line, with its location as without.
        plain = str(first.get_asm(use_local_scope=True)).splitlines()
        against = str(second.get_asm(use_local_scope=True)).splitlines()
        if plain == against:
            return None
        located = str(first.get_asm(use_local_scope=True, enable_debug_info=True)).splitlines()
    at = next((i for i, (a, b) in enumerate(zip(plain, against, strict=False)) if a != b), 0)
    operation = next(iter(re.findall(r"(?:stablehlo|chlo|func)\.\w+|call", plain[at])), "module")
    # A constant has no line of its own: then it is that of the first operation to use it.
    name = _NAME.search(plain[at])
    uses = re.compile(re.escape(name[0]) + r"\b" if name else "")
    pairs = zip(plain[at:], located[at:], strict=True)
    places = (_LOCATION.search(place) for text, place in pairs if uses.search(text))
    found = next(filter(None, places), None)
    return Difference(operation, int(found[1]) if found else None)


class Defined(NamedTuple):
    """The name of a function, its file, and the line where it begins; "" and None if unknown."""

    name: str
    file: str = ""
    line: int | None = None


def source_of(jaxpr: Any) -> Defined:
    """Return the function that a jaxpr was traced from."""
    info = jaxpr.debug_info
    return Defined(info.func_name, info.func_filename or "", info.func_lineno)


def is_jax_own(jaxpr: Any) -> bool:
    """Whether a jaxpr was traced from a function of JAX's own."""
    return source_of(jaxpr)[1].startswith(_JAX_HOME)


def jaxprs_in(eqn: Any) -> Iterator[Any]:
    """Yield the jaxprs in the parameters of an equation."""
    return core.jaxprs_in_params(eqn.params)


def nested(jaxpr: Any) -> Iterator[Any]:
    """Yield all jaxprs inside `jaxpr`, at any depth."""
    for inner in core.subjaxprs(jaxpr):
        yield inner
        yield from nested(inner)


def equations(jaxpr: Any) -> Iterator[Any]:
    """Yield all equations, those of inner programs (jit, scan, cond, ...) included."""
    return (eqn for _, eqn in jaxpr_util.all_eqns(jaxpr))


_ADDRESS = re.compile(r"0x[0-9a-f]+")
_LITERAL = re.compile(r"(?<=\s)(?:-?\d[\w.+-]*|[+-]?inf|nan|True|False)(?=:\w+\[)")


def form_of(jaxpr: Any) -> str:
    """Return what a program is but for the numbers in it: operations, shapes, sizes of loops."""
    return _LITERAL.sub("number", _ADDRESS.sub("0x", str(jaxpr)))


def unrolled_size(jaxpr: Any, known: dict[int, int] | None = None) -> int:
    """Return how many equations XLA gets: functions are written out, and scans as they ask for.

    Args:
        jaxpr: a jaxpr, closed or not.
        known: sizes of the jaxprs inside, by id, which may be used many times.
    """
    known = {} if known is None else known
    if id(jaxpr) not in known:
        total = len(jaxpr.eqns)
        for eqn in jaxpr.eqns:
            times = eqn.params["unroll"] if eqn.primitive.name == "scan" else 1
            total += int(times) * sum(unrolled_size(inner, known) for inner in jaxprs_in(eqn))
        known[id(jaxpr)] = total
    return known[id(jaxpr)]


def written_size(jaxpr: Any) -> int:
    """Return how many equations a jaxpr holds, those of each loop and function once."""
    return sum(1 for _ in jaxpr_util.all_eqns(jaxpr, revisit_inner_jaxprs=False))


_CALLBACKS = ("debug_callback", "debug_print", "io_callback")
_CALLBACK_EFFECTS = ("DebugEffect", "OrderedDebugEffect", "IOEffect", "OrderedIOEffect")


def _is_callback_effect(effect: object) -> bool:
    return type(effect).__name__ in _CALLBACK_EFFECTS


def split_callbacks(jaxpr: Any) -> tuple[Any, list[Any]]:
    """Return a jaxpr without the calls back into Python that return nothing, and their equations.

    They are those of `jax.debug.print`, `jax.debug.callback` and `io_callback`. Where one returns
    something, the jaxpr is returned as it is, and no equation.
    """
    callbacks: list[Any] = []
    if not any(map(_is_callback_effect, jaxpr.effects)):
        return jaxpr, callbacks

    def without(value: Any) -> Any:
        inner = getattr(value, "jaxpr", value)  # itself, since JAX 0.12
        if inner is not value:
            return value.replace(jaxpr=without(inner))
        if type(value) in (tuple, list):
            return type(value)(map(without, value))
        if not hasattr(value, "eqns"):
            return value
        kept = []
        for eqn in value.eqns:
            if eqn.primitive.name in _CALLBACKS:
                callbacks.append(eqn)
                continue
            if any(map(_is_callback_effect, eqn.effects)):
                params = {name: without(param) for name, param in eqn.params.items()}
                effects = {e for e in eqn.effects if not _is_callback_effect(e)}
                eqn = eqn.replace(params=params, effects=effects)
            kept.append(eqn)
        effects = {e for e in value.effects if not _is_callback_effect(e)}
        return value.replace(eqns=kept, effects=effects)

    rest = without(jaxpr)
    return (jaxpr, []) if any(eqn.outvars for eqn in callbacks) else (rest, callbacks)


def stack_of(eqn: Any) -> Sequence[Any]:
    """Return the frames in which an equation was traced, innermost first."""
    traceback = eqn.source_info.traceback
    return () if traceback is None else traceback.frames


def student_line_of(eqn: Any, files: Collection[str]) -> int | None:
    """Return the innermost line of the student's code that an equation was traced from.

    What called the kit, such as the line of `check(...)`, is not among them.
    """
    for frame in stack_of(eqn):
        if frame.file_name in files:
            return Line(frame.line_num, frame.file_name)
        if frame.file_name == called.__code__.co_filename:
            break
    return None


def origin_of(tracer: Any) -> str:
    """Return what JAX says of where a tracer comes from; empty if it says nothing."""
    return str(getattr(tracer, "_origin_msg", str)())


def find_leak_in(traced: Any) -> Exception | None:
    """Return the error that jit raises at a call of what it traced, if that holds a tracer."""
    held = (*getattr(traced, "_consts", ()), *traced.jaxpr.consts)
    leaked = next((value for value in held if isinstance(value, core.Tracer)), None)
    return None if leaked is None else core.escaped_tracer_error(leaked, None)


def whole_tracebacks() -> AbstractContextManager[object]:
    """Context manager: JAX leaves its own frames in the tracebacks of what is raised."""
    return config.traceback_filtering("off")


@contextmanager
def compiling_quickly() -> Iterator[None]:
    """Let XLA optimize less on a CPU; nothing of what is compiled in this context is kept."""
    name = "jax_disable_most_optimizations"
    if jax.config.values.get(name) is not False or jax.default_backend() != "cpu":
        yield
        return
    jax.config.update(name, True)
    try:
        yield
    finally:
        jax.config.update(name, False)
        jax.clear_caches()


_INLINE: Any = getattr(jax, "Inline", None)  # since JAX 0.12
_CALLED = False if _INLINE is None else _INLINE.AUTO
"""Of a jitted function without the option `inline`."""


@contextmanager
def plain_calls() -> Iterator[None]:
    """Trace a jitted function that is called in another one as a call, whatever its options.

    With `inline=True` there would be no call, and `compiler_options` are refused there.
    """
    staging: Any = pe.custom_staging_rules
    before = staging[pjit.jit_p]

    def stage(trace: Any, source_info: Any, *args: Any, **params: Any) -> Any:
        plain = {} if is_jax_own(params["jaxpr"].jaxpr) else {"inline": _CALLED}
        return before(trace, source_info, *args, **{**params, "compiler_options_kvs": (), **plain})

    staging[pjit.jit_p] = stage
    try:
        yield
    finally:
        staging[pjit.jit_p] = before


@contextmanager
def recording_operations(note: Callable[[Any, dict[str, Any], Any], None]) -> Iterator[None]:
    """Call `note` with primitive, parameters and operands of all that this thread asks JAX to run.

    A jitted function is one primitive, whatever is in it. Values stay numbers, as in a plain call.
    What JAX does to run a primitive is not asked for: since 0.12, a function under jit for each.
    """

    def record(primitive: Any, params: dict[str, Any], operands: Any) -> None:
        if not config.eager_constant_folding.value:  # what it computes is no part of a program
            note(primitive, params, operands)

    class Recording(core.EvalTrace):
        def process_primitive(self, primitive: Any, args: Any, params: Any, /) -> Any:
            record(primitive, params, args)
            return core.eval_trace.process_primitive(primitive, args, params)

        def process_custom_jvp_call(self, primitive: Any, *args: Any, **params: Any) -> Any:
            record(primitive, params, args)
            return core.eval_trace.process_custom_jvp_call(primitive, *args, **params)

        def process_custom_vjp_call(self, primitive: Any, *args: Any, **params: Any) -> Any:
            record(primitive, params, args)
            return core.eval_trace.process_custom_vjp_call(primitive, *args, **params)

    with core.set_current_trace(Recording()):
        yield


def unnumbered_checks() -> AbstractContextManager[object]:
    """Context manager: the checks of `jax.experimental.checkify` all get one number.

    Before its release 0.11, JAX counts them in the whole process, so two traces of one function
    would differ. The numbers only choose the message of an error, and nobody reads one here.
    """
    if not hasattr(checkify, "next_code"):  # they are counted anew in each call
        return nullcontext()
    return patch.object(checkify, "next_code", lambda: 1)


@contextmanager
def passing_checks() -> Iterator[None]:
    """Let the checks of `checkify` pass whose error Python asks for, at the current trace's level.

    A plain call has numbers there, for `error.throw()` and `error.get()`. When the kit traces the
    function as a whole, they are tracers. What the function's own jit traces stays as it is: JAX
    refuses to throw from there.
    """
    here = core.trace_ctx.trace
    throw, read = checkify._check_error, checkify.Error.get_exception

    def is_here() -> bool:
        trace = core.trace_ctx.trace
        while trace is not here and not isinstance(trace, pe.DynamicJaxprTrace):
            trace = getattr(trace, "parent_trace", None)
            if trace is None:
                return False
        return trace is here

    def throw_outside(error: Any, **options: Any) -> Any:
        return [] if is_here() else throw(error, **options)

    def read_outside(error: Any) -> Any:
        traced = any(isinstance(failed, core.Tracer) for failed in error._pred.values())
        return None if traced and is_here() else read(error)

    with (
        patch.object(checkify, "_check_error", throw_outside),
        patch.object(checkify.Error, "get_exception", read_outside),
    ):
        yield


# --- jit's key, and what happens as it is used --------------------------------------------------
# These have fallbacks: with a JAX release that moves them, counts of compilations may be less
# precise, but nothing fails.

_SETTINGS = """
    jax_enable_x64 jax_default_matmul_precision jax_numpy_dtype_promotion jax_numpy_rank_promotion
    jax_default_device jax_random_seed_offset jax_threefry_partitionable jax_softmax_custom_jvp
    jax_explicit_x64_dtypes jax_use_shardy_partitioner jax_optimization_level
    jax_memory_fitting_level jax_debug_key_reuse
"""
_CONTEXTS = {
    "mesh_context_manager": "with mesh",
    "abstract_mesh_context_manager": "jax.set_mesh",
    "compute_on_context_manager": "compute_on",
    "xla_metadata_context_manager": "set_xla_metadata",
}


def settings() -> dict[str, object]:
    """Return JAX's settings and contexts that are part of jit's key, as they are in this thread."""
    # `jax.config` also sees the values that context managers set in the current thread.
    found: dict[str, object] = {n: getattr(jax.config, n, None) for n in _SETTINGS.split()}
    for name, shown in _CONTEXTS.items():
        found[shown] = getattr(getattr(config, name, None), "value", None)
    return found


def _code(function: object) -> CodeType | None:
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return code if isinstance(code, CodeType) else None


def _code_inside(function: object, name: str) -> CodeType | None:
    """The code of the function `name` that is defined inside `function`."""
    outer = _code(function)
    inside = outer.co_consts if outer else ()
    return next((c for c in inside if isinstance(c, CodeType) and c.co_name == name), None)


# A Python frame with one of these codes is entered exactly when the named thing happens.
# A jitted function has no program for its arguments; `fun` is the function under jit.
MISS_CODE = _code_inside(getattr(pjit, "_cpp_pjit", None), "cache_miss")
# A jitted function is lowered by hand; `jit_func` is the jitted function.
LOWER_CODE = _code(getattr(pjit, "jit_lower", None))
LOWERED_COMPILE_CODE = _code(jax.stages.Lowered.compile)
