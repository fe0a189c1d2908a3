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

jit = jax.jit
make_jaxpr = jax.make_jaxpr
as_function = extend_core.jaxpr_as_fun
clear_caches = jax.clear_caches
block_until_ready = jax.block_until_ready
effects_barrier = jax.effects_barrier
disable_jit = jax.disable_jit
default_backend = jax.default_backend
compile_time = jax.ensure_compile_time_eval
flatten = jax.tree.flatten
unflatten = jax.tree.unflatten
key_data = jax.random.key_data
issubdtype = jax.numpy.issubdtype
prng_key = jax.dtypes.prng_key
register_listener = monitoring.register_event_duration_secs_listener
unregister_listener = monitoring.unregister_event_duration_listener
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
freeze, unfreeze = gc.freeze, gc.unfreeze

asarray = np.asarray
allclose = np.allclose
np_get_state = np.random.get_state
np_set_state = np.random.set_state
py_get_state = random.getstate
py_set_state = random.setstate

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
_config = sys.modules.get("jax._src.config")


def settings() -> dict[str, object]:
    """Return JAX's settings and contexts that are part of jit's key, as they are in this thread."""
    # `jax.config` also sees the values that context managers set in the current thread.
    found: dict[str, object] = {n: getattr(jax.config, n, None) for n in _SETTINGS.split()}
    for name, shown in _CONTEXTS.items():
        found[shown] = getattr(getattr(_config, name, None), "value", None)
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
MISS_CODE = _code_inside(getattr(sys.modules.get("jax._src.pjit"), "_cpp_pjit", None), "cache_miss")
# A jitted function is lowered by hand; `jit_func` is the jitted function.
LOWER_CODE = _code(getattr(sys.modules.get("jax._src.pjit"), "jit_lower", None))
LOWERED_COMPILE_CODE = _code(Lowered.compile)
