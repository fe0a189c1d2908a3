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
    "echo": [],
    "location": None,
    "answers": {},
    "public": [None] * 6,
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
