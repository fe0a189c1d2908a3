"""Attacks by forged answers: frames, headers, programs and verdicts."""

# %% forged_verdict
# attack: a verdict in place of an observation; exercise: static_reshape; must not gain: outputs; says: ended before it was done
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

answer({"outputs": [], "purity": [], "compilations": [], "agreement": None})

# %% evidence_forged_eager
# attack: a complete answer, exported from a function that is not jitted; exercise: static_reshape; must not gain: compilations
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
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


answer_with(lambda counts: (jnp.sort((counts / counts.sum()).reshape(-1), descending=True),))

# %% forged_bad_blob
# attack: a program that points outside the blobs; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

forged["programs"] = [{"names": [""], "blob": -1}] * len(calls)
answer(forged, [])

# %% forged_callback
# attack: an operation of another dialect calls into the judge's process; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}


import dataclasses
import io

from jax._src.interpreters import mlir
from jaxlib.mlir import ir


def program(call, body):
    dtype, shape = call["tuple"][0]["array"]
    spec = jax.ShapeDtypeStruct(tuple(shape), dtype)
    exported = jax.export.export(jax.jit(lambda x: (x.reshape(-1),)), platforms=("cpu",))(spec)
    of, to = "x".join(map(str, shape)), exported.out_avals[0].size
    text = "module { func.func public @main(%x: tensor<OFxf32>) -> tensor<TOxf32> {" + body + "}}"
    out = io.BytesIO()
    with mlir.make_ir_context():
        parsed = ir.Module.parse(text.replace("OF", of).replace("TO", str(to)))
        parsed.operation.write_bytecode(out)
    return bytes(dataclasses.replace(exported, mlir_module_serialized=out.getvalue()).serialize())


def answer_with(body):
    forged["programs"] = [{"names": [""], "blob": i} for i in range(len(calls))]
    answer(forged, [program(call, body) for call in calls])


answer_with(
    """%r = "mhlo.custom_call"(%x) {call_target_name = "xla_ffi_python_cpu_callback",
    has_side_effect = true, api_version = 4 : i32, backend_config = {index = 0 : ui64}} :
    (tensor<OFxf32>) -> tensor<TOxf32>
    return %r : tensor<TOxf32>"""
)

# %% forged_constants
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 7,
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

# %% forged_custom_call
# attack: a custom call of its own; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}


import dataclasses
import io

from jax._src.interpreters import mlir
from jaxlib.mlir import ir


def program(call, body):
    dtype, shape = call["tuple"][0]["array"]
    spec = jax.ShapeDtypeStruct(tuple(shape), dtype)
    exported = jax.export.export(jax.jit(lambda x: (x.reshape(-1),)), platforms=("cpu",))(spec)
    of, to = "x".join(map(str, shape)), exported.out_avals[0].size
    text = "module { func.func public @main(%x: tensor<OFxf32>) -> tensor<TOxf32> {" + body + "}}"
    out = io.BytesIO()
    with mlir.make_ir_context():
        parsed = ir.Module.parse(text.replace("OF", of).replace("TO", str(to)))
        parsed.operation.write_bytecode(out)
    return bytes(dataclasses.replace(exported, mlir_module_serialized=out.getvalue()).serialize())


def answer_with(body):
    forged["programs"] = [{"names": [""], "blob": i} for i in range(len(calls))]
    answer(forged, [program(call, body) for call in calls])


answer_with(
    """%r = stablehlo.custom_call @system(%x) {has_side_effect = true} :
    (tensor<OFxf32>) -> tensor<TOxf32>
    return %r : tensor<TOxf32>"""
)

# %% ffi_reads_the_heap
# attack: a batch that is not there is read; exercise: static_reshape; must not gain: outputs; says: lapack_strsm_ffi
import numpy as np
from jax import lax

jnp.linalg.cholesky(jnp.eye(1)).block_until_ready()  # JAX looks LAPACK's routines up

SIZE = 2
LETTERS = {"side": "L", "uplo": "L", "trans_x": "N", "diag": "N"}


def read(counts):
    result = jax.ShapeDtypeStruct((SIZE, 1, 1), jnp.float32)
    attributes = {name: np.uint8(ord(letter)) for name, letter in LETTERS.items()}
    one = counts.reshape(-1)[:1].reshape(1, 1, 1)
    return jax.ffi.ffi_call("lapack_strsm_ffi", result)(one, one, **attributes)


@jax.jit
def rank_abundance(counts):
    heap = lax.platform_dependent(counts, cpu=read, default=lambda _: jnp.zeros((SIZE, 1, 1)))
    return jnp.resize(heap, counts.size)

# %% forged_cut_frame
# attack: half a frame, then silence; exercise: static_reshape; must not gain: outputs; says: ended before it was done
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

answers.write(struct.pack(">I", 1000) + b"{")
answers.flush()
os._exit(0)

# %% forged_deep_header
# attack: a header of ten thousand nested lists; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

answer({**forged, "failures": eval("[" * 90 + "]" * 90)})

# %% forged_dtype
# attack: a dtype that is a syntax error; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

forged["failures"] = [{"severity": "error"}] * len(calls)
forged["watched"] = [[{"dtype": "(1,", "shape": [1], "blob": 0}]] * 6
answer(forged, [b"0000"])

# %% forged_garbage
# attack: a well-formed answer with garbage for programs; exercise: static_reshape; must not gain: outputs; says: cannot be read back
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

forged["programs"] = [{"names": [""], "blob": 0}] * len(calls)
answer(forged, [os.urandom(4096)])

# %% forged_huge_header
# attack: a header of four gigabytes; exercise: static_reshape; must not gain: outputs; says: ended before it was done
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

answers.write(b"\xff\xff\xff\xff{}")
answers.flush()
os._exit(0)

# %% forged_infeed
# attack: a program that waits for data from the host; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}


import dataclasses
import io

from jax._src.interpreters import mlir
from jaxlib.mlir import ir


def program(call, body):
    dtype, shape = call["tuple"][0]["array"]
    spec = jax.ShapeDtypeStruct(tuple(shape), dtype)
    exported = jax.export.export(jax.jit(lambda x: (x.reshape(-1),)), platforms=("cpu",))(spec)
    of, to = "x".join(map(str, shape)), exported.out_avals[0].size
    text = "module { func.func public @main(%x: tensor<OFxf32>) -> tensor<TOxf32> {" + body + "}}"
    out = io.BytesIO()
    with mlir.make_ir_context():
        parsed = ir.Module.parse(text.replace("OF", of).replace("TO", str(to)))
        parsed.operation.write_bytecode(out)
    return bytes(dataclasses.replace(exported, mlir_module_serialized=out.getvalue()).serialize())


def answer_with(body):
    forged["programs"] = [{"names": [""], "blob": i} for i in range(len(calls))]
    answer(forged, [program(call, body) for call in calls])


answer_with(
    """%t = stablehlo.create_token : !stablehlo.token
    %r, %u = "stablehlo.infeed"(%t) {infeed_config = ""} :
    (!stablehlo.token) -> (tensor<TOxf32>, !stablehlo.token)
    return %r : tensor<TOxf32>"""
)

# %% forged_infinite_shape
# attack: a result of infinite shape; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

forged["failures"] = [{"severity": "error"}] * len(calls)
forged["watched"] = [[{"dtype": "float32", "shape": [float("inf")], "blob": 0}]] * 6
answer(forged, [b"0000"])

# %% forged_no_calls
# attack: an observation of no calls at all; exercise: static_reshape; must not gain: outputs; says: ended before it was done
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

answer({**forged, "programs": [], "failures": [], "watched": []})

# %% forged_recursion
# attack: a program that calls itself and brings the judge down; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}


import dataclasses
import io

from jax._src.interpreters import mlir
from jaxlib.mlir import ir


def program(call, body):
    dtype, shape = call["tuple"][0]["array"]
    spec = jax.ShapeDtypeStruct(tuple(shape), dtype)
    exported = jax.export.export(jax.jit(lambda x: (x.reshape(-1),)), platforms=("cpu",))(spec)
    of, to = "x".join(map(str, shape)), exported.out_avals[0].size
    text = "module { func.func public @main(%x: tensor<OFxf32>) -> tensor<TOxf32> {" + body + "}}"
    out = io.BytesIO()
    with mlir.make_ir_context():
        parsed = ir.Module.parse(text.replace("OF", of).replace("TO", str(to)))
        parsed.operation.write_bytecode(out)
    return bytes(dataclasses.replace(exported, mlir_module_serialized=out.getvalue()).serialize())


def answer_with(body):
    forged["programs"] = [{"names": [""], "blob": i} for i in range(len(calls))]
    answer(forged, [program(call, body) for call in calls])


answer_with(
    """%r = func.call @g(%x) : (tensor<OFxf32>) -> tensor<TOxf32>
    return %r : tensor<TOxf32> }
    func.func private @g(%y: tensor<OFxf32>) -> tensor<TOxf32> {
    %s = func.call @g(%y) : (tensor<OFxf32>) -> tensor<TOxf32>
    return %s : tensor<TOxf32>"""
)

# %% forged_surrogates
# attack: names and messages of lone surrogates and control characters; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

finding = {"rule": "\ud800\x1b[2J", "severity": "error", "line": -5, "message": "\ud800<script>"}
answer({**forged, "failures": [finding] * len(calls)})

# %% forged_two_answers
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
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

# %% forged_warnings
# attack: failures that call themselves warnings; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

answer(
    {**forged, "failures": [{"rule": "x", "severity": "warning", "message": "fine"}] * len(calls)}
)

# %% forged_wrong_bytes
# attack: a program with bytes changed at random places; exercise: static_reshape; must not gain: outputs
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
    "second_process": [],
    "location": None,
    "answers": {},
    "watched": [None] * 6,
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


import random

good = bytearray(export(lambda counts: (counts.reshape(-1),), calls[0]))
rng = random.Random(4)
blobs = []
for _ in calls:
    blob = bytearray(good)
    for _ in range(20):
        blob[rng.randrange(len(blob))] = rng.randrange(256)
    blobs.append(bytes(blob))
forged["programs"] = [{"names": [""], "blob": i} for i in range(len(calls))]
answer(forged, blobs)

# %% judges_pipe
# attack: a verdict written into the judge's pipe through /proc; exercise: static_reshape; must not gain: outputs
import json
import os
import struct

text = json.dumps({k: [] for k in ("outputs", "purity", "compilations")} | {"blobs": []}).encode()
frame = struct.pack(">I", len(text)) + text
mine = {
    os.readlink(f"/proc/self/fd/{n}") for n in (0, 3, 4, 5) if os.path.exists(f"/proc/self/fd/{n}")
}
grader = f"/proc/{os.getppid()}"
for n in os.listdir(f"{grader}/fd"):
    try:
        flags = int(open(f"{grader}/fdinfo/{n}").read().split("flags:")[1].split()[0], 8)
        link = os.readlink(f"{grader}/fd/{n}")
        if link.startswith("pipe:") and link not in mine and flags & 3 == 0:
            os.write(os.open(f"{grader}/fd/{n}", os.O_WRONLY | os.O_NONBLOCK), frame)
    except OSError:
        pass


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)

# %% daemon_holds_pipe
# attack: a child in a session of its own keeps the answer pipe open; exercise: static_reshape; must not gain: outputs; seconds: 15
import os
import time

if os.fork() == 0:
    os.setsid()
    time.sleep(120)
    os._exit(0)


@jax.jit
def rank_abundance(counts):
    return jnp.sort(counts.reshape(-1), descending=True)
