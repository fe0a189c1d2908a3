# attack: a forked child answers before its parent; exercise: static_reshape; must not gain: outputs; says: ended before it was done
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
    "public": [None] * 6,
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


if os.fork() == 0:
    answer({**forged, "programs": [], "failures": []})
os.wait()


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
