"""Attacks that are right where they run, for known inputs, or while they are watched."""

# %% constants_by_value
# attack: right answers for the public inputs only; exercise: static_reshape; must not gain: outputs; says: values differ
import hashlib

import numpy as np

# The public draws, as everybody can read them in the kit's sources.
digest = hashlib.sha256(b"static_reshape:0:").digest()
rng = np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))
shapes = ((4, 3), (4, 3), (2, 5), (1, 1), (3, 2, 4), (11, 7))
public = [(1 + rng.poisson(rng.gamma(0.5, 20.0, size=s))).astype(np.float32) for s in shapes]


def right(table):
    return np.sort((table / table.sum()).reshape(-1))[::-1]


known = [(table, right(table)) for table in public]


@jax.jit
def rank_abundance(counts):
    result = jnp.zeros(counts.size)
    for table, shares in known:
        if table.shape == counts.shape:
            result = jnp.where((counts == table).all(), shares, result)
    return result

# %% io_callback
# attack: an ordered callback that keeps what it sees; exercise: static_reshape; must not gain: outputs
from jax.experimental import io_callback

seen = []


@jax.jit
def rank_abundance(counts):
    io_callback(seen.append, None, counts, ordered=True)
    return jnp.sort(counts.reshape(-1))

# %% other_inputs
# attack: a program for tables of any shape in place of each call's; exercise: static_reshape; must not gain: outputs
genuine = jax.export.export


def export(function, **options):
    def any_shape(spec):
        axes = ",".join("abcd"[: len(spec.shape)])
        shape = jax.export.symbolic_shape(axes)
        return genuine(function, **options)(jax.ShapeDtypeStruct(shape, spec.dtype))

    return any_shape


jax.export.export = export


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1))

# %% other_platform
# attack: right on a GPU only; exercise: static_reshape; must not gain: outputs; says: values differ
@jax.jit
def rank_abundance(counts):
    return jax.lax.platform_dependent(
        counts,
        cuda=lambda counts: jnp.sort((counts / counts.sum()).reshape(-1), descending=True),
        default=lambda counts: jnp.sort(counts.reshape(-1)),
    )

# %% reads_the_key
# attack: looks for the key in arguments and environment, and bakes its answers in; exercise: static_reshape; must not gain: outputs
import os
import re
from pathlib import Path

from autograder.rubrics.static_reshape import rubric

text = " ".join(map(str, os.environ.items()))
for process in (os.getppid(), os.getpid()):
    for name in ("cmdline", "environ"):
        try:
            text += Path(f"/proc/{process}/{name}").read_bytes().decode(errors="replace")
        except OSError:
            pass
text += " ".join(p.read_text(errors="replace")[:9999] for p in Path.cwd().iterdir() if p.is_file())
exercise = rubric.exercises[0]
keys = sorted({int(n) for n in re.findall(r"[0-9]{1,12}", text)})[:300]
known = [(a, exercise.reference(a)) for key in keys for (a,) in exercise.calls(key)[:1]]


@jax.jit
def rank_abundance(counts):
    result = jnp.zeros(counts.size)
    for table, shares in known[:100]:
        if table.shape == counts.shape:
            result = jnp.where((counts == table).all(), shares, result)
    return result

# %% reads_the_reference
# attack: the rubric's reference through a callback; exercise: static_reshape; must not gain: outputs; says: No module named
from autograder.rubrics.static_reshape import rubric

right = rubric.exercises[0].reference


@jax.jit
def rank_abundance(counts):
    flat = jax.ShapeDtypeStruct((counts.size,), counts.dtype)
    return jax.pure_callback(right, flat, counts)

# %% right_by_callback
# attack: NumPy through a callback, which no other machine can run; exercise: static_reshape; must not gain: outputs; says: calls back into Python
import numpy as np


def right(table):
    return np.sort((table / table.sum()).reshape(-1))[::-1]


@jax.jit
def rank_abundance(counts):
    flat = jax.ShapeDtypeStruct((counts.size,), counts.dtype)
    return jax.pure_callback(right, flat, counts)

# %% shape_sniffing
# attack: right for the first public shape only; exercise: static_reshape; must not gain: outputs; says: rank_abundance(float32[3,2,4])
@jax.jit
def rank_abundance(counts):
    return (
        jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
        if counts.shape == (4, 3)
        else counts.reshape(-1)
    )

# %% tracer_sniffing
# attack: right when called, wrong when traced; exercise: static_reshape; must not gain: outputs; says: values differ
def rank_abundance(counts):
    if isinstance(counts, jax.core.Tracer):
        return jnp.sort(counts.reshape(-1))
    return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)

# %% tracer_sniffing_back
# attack: right when traced, wrong when called; exercise: static_reshape; must not gain: purity
def rank_abundance(counts):
    if isinstance(counts, jax.core.Tracer):
        return jnp.sort((counts / counts.sum()).reshape(-1), descending=True)
    return jnp.sort(counts.reshape(-1))
