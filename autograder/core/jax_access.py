"""What this package needs of JAX, taken once, before any student code could replace it.

Import this package before the student's code runs. Private names of JAX are used here and nowhere
else in the package, each with a fallback, so that another JAX release costs precision at most.
"""

from __future__ import annotations

import sys
import threading
from types import CodeType, ModuleType

import jax
from jax import monitoring
from jax.extend import core as extend_core

COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"
LOWER_EVENT = "/jax/core/compile/jaxpr_to_mlir_module_duration"
PROBE_EVENT = "/autograder/probe"

jit = jax.jit
make_jaxpr = jax.make_jaxpr
clear_caches = jax.clear_caches
block_until_ready = jax.block_until_ready
register_listener = monitoring.register_event_duration_secs_listener
unregister_listener = monitoring.unregister_event_duration_listener
record_duration = monitoring.record_event_duration_secs
setprofile = sys.setprofile
getprofile = sys.getprofile
set_thread_profile = threading.setprofile
ClosedJaxpr = extend_core.ClosedJaxpr
Compiled = jax.stages.Compiled
Lowered = jax.stages.Lowered

# Options that are part of every cache key; read through `jax.config`, which sees the values set
# by context managers in the current thread.
_OPTIONS = (
    "jax_enable_x64",
    "jax_default_matmul_precision",
    "jax_numpy_dtype_promotion",
    "jax_numpy_rank_promotion",
    "jax_default_device",
    "jax_debug_nans",
    "jax_debug_infs",
    "jax_disable_jit",
    "jax_check_tracer_leaks",
    "jax_default_prng_impl",
    "jax_random_seed_offset",
    "jax_threefry_partitionable",
    "jax_softmax_custom_jvp",
)


def options() -> dict[str, str]:
    """The settings of JAX that decide whether a compiled program can be used again."""
    return {name: str(getattr(jax.config, name, None)) for name in _OPTIONS}


def under_jit() -> bool:
    """Whether JAX is tracing to a jaxpr in this thread (vmap or grad of eager code is not)."""
    return bool(_under_jit())


def _no_current_trace() -> bool:
    return True


_under_jit = getattr(extend_core, "unsafe_am_i_under_a_jit_DO_NOT_USE", _no_current_trace)


def _private(path: str, name: str) -> tuple[ModuleType, str] | None:
    module = sys.modules.get(path)
    return (module, name) if module is not None and hasattr(module, name) else None


def _code(function: object) -> CodeType | None:
    function = getattr(function, "__wrapped__", function)
    code = getattr(function, "__code__", None)
    return code if isinstance(code, CodeType) else None


# Names whose replacement would make the counts worthless, with what they were at import.
GUARDED: list[tuple[ModuleType, str, object]] = [
    (owner, name, getattr(owner, name))
    for owner, name in filter(
        None,
        [
            (jax, "jit"),
            (jax, "make_jaxpr"),
            (jax, "clear_caches"),
            (jax, "block_until_ready"),
            (monitoring, "register_event_duration_secs_listener"),
            (monitoring, "unregister_event_duration_listener"),
            (monitoring, "record_event_duration_secs"),
            (monitoring, "clear_event_listeners"),
            (sys, "setprofile"),
            (sys, "getprofile"),
            (threading, "setprofile"),
            _private("jax._src.monitoring", "record_event_duration_secs"),
            _private("jax._src.monitoring", "register_event_duration_secs_listener"),
            _private("jax._src.dispatch", "record_event_duration_secs"),
            _private("jax._src.dispatch", "log_elapsed_time"),
            _private("jax._src.dispatch", "LogElapsedTimeContextManager"),
            _private("jax._src.compiler", "compile_or_get_cached"),
            _private("jax._src.compiler", "backend_compile_and_load"),
            _private("jax._src.api", "jit"),
        ],
    )
]

_compile = next((value for _, name, value in GUARDED if name == "compile_or_get_cached"), None)

# Python frames that tell what is going on: entered exactly when the named thing happens.
COMPILE_CODE = _code(_compile)
JIT_CODE = _code(jit)
CLEAR_CODE = _code(clear_caches)
AHEAD_CODE = _code(Compiled.__call__)
LOWERED_COMPILE_CODE = _code(Lowered.compile)
