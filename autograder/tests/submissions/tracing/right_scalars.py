# right: a NamedTuple of answers, some of them scalars of JAX and NumPy; exercise: tracing
from typing import Any, NamedTuple

import numpy as np


class Answers(NamedTuple):
    prints_plain: Any
    prints_jitted: Any
    prints_shapes: Any
    prints_dtypes: Any
    shown: str
    primitives: Any
    primitives_jitted: Any
    result_shape: Any
    old_weight: Any
    new_weight: Any


answers = Answers(
    prints_plain=np.int64(3),
    prints_jitted=1,
    prints_shapes=np.array(2),
    prints_dtypes=2,
    shown="tracer",
    primitives=("sub", "integer_pow", "reduce_sum"),
    primitives_jitted=["jit"],
    result_shape=(),
    old_weight=2 * jnp.sum(jnp.array([1.0, 2.0, 3.0])),
    new_weight=10 * jnp.sum(jnp.arange(1.0, 5.0)),
)
