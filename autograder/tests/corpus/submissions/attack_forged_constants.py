# attack: a well-formed answer whose programs hold the public answers; exercise: static_reshape; must not gain: outputs; says: values differ
import json
import os
import struct
import sys

frame = sys._getframe()
while "answers" not in frame.f_locals:
    frame = frame.f_back
request, answers = frame.f_locals["request"], frame.f_locals["answers"]
calls = request["exercises"]["static_reshape"]


def answer(observation, blobs=()):
    header = {"exercises": {"static_reshape": observation}, "blobs": [len(b) for b in blobs]}
    text = json.dumps(header).encode()
    answers.write(struct.pack(">I", len(text)) + text + b"".join(blobs))
    answers.flush()
    os._exit(0)


forged = {
    "refused": None,
    "programs": [None] * len(calls),
    "failures": [None] * len(calls),
    "echo": [],
    "location": None,
    "answers": {},
    "public": [None] * 7,
    "observed": {"purity": [], "compilations": []},
}


def export(function, call):
    dtype, shape = call["tuple"][0]["array"]
    spec = jax.ShapeDtypeStruct(tuple(shape), dtype)
    return bytes(jax.export.export(jax.jit(function), platforms=("cpu", "cuda"))(spec).serialize())


def answer_with(function):
    blobs = [export(function, call) for call in calls]
    forged["programs"] = [{"names": [""], "blob": i} for i in range(len(calls))]
    answer(forged, blobs)


import hashlib

import numpy as np

# The public draws, as everybody can read them in the kit's sources.
digest = hashlib.sha256(b"static_reshape:0:").digest()
rng = np.random.default_rng(np.frombuffer(digest, dtype=np.uint32))


def draw(shape):
    table = rng.poisson(rng.gamma(0.5, 20.0, size=shape)).astype(np.float32)
    table.flat[0] = 0.0
    table.flat[-1] = rng.integers(1, 90)
    return table


first, equal = draw((4, 3)), np.full((4, 3), rng.integers(1, 90), np.float32)
public = [first, equal, *map(draw, ((3, 2, 4), (1, 1), (13500,), (2, 1, 3, 2)))]


def right(table):
    return np.sort((table / table.sum()).reshape(-1))[::-1]


known = {table.shape: right(table) for table in reversed(public)}
answer_with(lambda counts: (jnp.asarray(known[counts.shape]) + 0 * counts.sum(),))
