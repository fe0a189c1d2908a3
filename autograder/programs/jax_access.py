"""References to JAX, NumPy and Python's hooks, taken before student code can replace them.

Import this module before the student's code runs.
"""

from __future__ import annotations

import gc
import random
import sys
import threading

import jax
import numpy as np
from jax import core, monitoring
from jax.extend import core as extend_core

TRACE_EVENT = "/jax/core/compile/jaxpr_trace_duration"
COMPILE_EVENT = "/jax/core/compile/backend_compile_duration"
LOWER_EVENT = "/jax/core/compile/jaxpr_to_mlir_module_duration"

jit = jax.jit
make_jaxpr = jax.make_jaxpr
as_function = extend_core.jaxpr_as_fun
clear_caches = jax.clear_caches
block_until_ready = jax.block_until_ready
effects_barrier = jax.effects_barrier
default_backend = jax.default_backend
compile_time = jax.ensure_compile_time_eval
flatten = jax.tree.flatten
unflatten = jax.tree.unflatten
key_data = jax.random.key_data
issubdtype = jax.numpy.issubdtype
prng_key = jax.dtypes.prng_key
register_listener = monitoring.register_event_duration_secs_listener
unregister_listener = monitoring.unregister_event_duration_listener
LOGGING = (jax.log_compiles, jax.explain_cache_misses)
Jitted = type(jax.jit(lambda: None))
Array = jax.Array
Tracer = core.Tracer
Ref = jax.Ref
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
