"""References to JAX, NumPy and Python's hooks, taken before student code can replace them.

Import this module before the student's code runs. The private names of JAX used here have
fallbacks: with a JAX release that moves them, counts of compilations may be less precise, but
nothing fails.
"""

from __future__ import annotations

import gc
import random
import sys
import threading
from types import CodeType

import jax
import numpy as np
from jax import core, monitoring
from jax.extend import core as extend_core

COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"
LOWER_EVENT = "/jax/core/compile/jaxpr_to_mlir_module_duration"
PROBE_EVENT = "/autograder/probe"

jit = jax.jit
make_jaxpr = jax.make_jaxpr
as_function = extend_core.jaxpr_as_fun
clear_caches = jax.clear_caches
block_until_ready = jax.block_until_ready
effects_barrier = jax.effects_barrier
disable_jit = jax.disable_jit
default_backend = jax.default_backend
checking_leaks = jax.checking_leaks
compile_time = jax.ensure_compile_time_eval
flatten = jax.tree.flatten
unflatten = jax.tree.unflatten
key_data = jax.random.key_data
issubdtype = jax.numpy.issubdtype
prng_key = jax.dtypes.prng_key
register_listener = monitoring.register_event_duration_secs_listener
unregister_listener = monitoring.unregister_event_duration_listener
record_duration = monitoring.record_event_duration_secs
LOGGING = [
    getattr(jax, name) for name in ("log_compiles", "explain_cache_misses") if hasattr(jax, name)
]
Jitted = type(jax.jit(lambda: None))
Array = jax.Array
Tracer = core.Tracer
Ref = getattr(jax, "Ref", None)
ClosedJaxpr = extend_core.ClosedJaxpr
Compiled = jax.stages.Compiled
Lowered = jax.stages.Lowered
Traced = jax.stages.Traced

setprofile = sys.setprofile
getprofile = sys.getprofile
settrace = sys.settrace
gettrace = sys.gettrace
getframe = sys._getframe
set_thread_profile = threading.setprofile
live_threads = threading.enumerate
collect = gc.collect
referents = gc.get_referents
tracked_objects = gc.get_objects
freeze, unfreeze = gc.freeze, gc.unfreeze

asarray = np.asarray
allclose = np.allclose
np_get_state = np.random.get_state
np_set_state = np.random.set_state
np_seed = np.random.seed
py_get_state = random.getstate
py_set_state = random.setstate
py_seed = random.seed

_CACHE_KEY_OPTIONS = """
    jax_enable_x64 jax_default_matmul_precision jax_numpy_dtype_promotion jax_numpy_rank_promotion
    jax_default_device jax_debug_nans jax_debug_infs jax_disable_jit jax_check_tracer_leaks
    jax_default_prng_impl jax_random_seed_offset jax_threefry_partitionable jax_softmax_custom_jvp
"""


def options() -> dict[str, str]:
    """Return the settings of JAX that decide whether a compiled program can be used again."""
    # `jax.config` also sees the values that context managers set in the current thread.
    return {name: str(getattr(jax.config, name, None)) for name in _CACHE_KEY_OPTIONS.split()}


_under_jit = getattr(extend_core, "unsafe_am_i_under_a_jit_DO_NOT_USE", lambda: True)


def under_jit() -> bool:
    """Whether JAX is tracing to a jaxpr in this thread (vmap or grad of eager code is not)."""
    return bool(_under_jit())


_GUARDED_NAMES = {
    "jax": "jit make_jaxpr clear_caches block_until_ready",
    "jax.monitoring": """
        register_event_duration_secs_listener unregister_event_duration_listener
        record_event_duration_secs clear_event_listeners
    """,
    "sys": "setprofile getprofile",
    "threading": "setprofile",
    "jax._src.monitoring": "record_event_duration_secs register_event_duration_secs_listener",
    "jax._src.dispatch": "record_event_duration_secs log_elapsed_time LogElapsedTimeContextManager",
    "jax._src.compiler": "compile_or_get_cached backend_compile_and_load",
    "jax._src.api": "jit",
}
GUARDED = [
    (sys.modules[path], name, getattr(sys.modules[path], name))
    for path, names in _GUARDED_NAMES.items()
    for name in names.split()
    if hasattr(sys.modules.get(path), name)
]
"""Names whose replacement would make the counts worthless, for `autograder.core.seal.Seal`."""


def _code(function: object) -> CodeType | None:
    code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
    return code if isinstance(code, CodeType) else None


def _code_inside(function: object, name: str) -> CodeType | None:
    """The code of the function `name` that is defined inside `function`."""
    outer = _code(function)
    inside = outer.co_consts if outer else ()
    return next((c for c in inside if isinstance(c, CodeType) and c.co_name == name), None)


# A Python frame with one of these codes is entered exactly when the named thing happens.
COMPILE_CODE = _code(getattr(sys.modules.get("jax._src.compiler"), "compile_or_get_cached", None))
JIT_CODE = _code(jit)
# A jitted function has no program for its arguments; `fun` is the function under jit.
MISS_CODE = _code_inside(getattr(sys.modules.get("jax._src.pjit"), "_cpp_pjit", None), "cache_miss")
CLEAR_CODE = _code(clear_caches)
AHEAD_CODE = _code(Compiled.__call__)
LOWERED_COMPILE_CODE = _code(Lowered.compile)
