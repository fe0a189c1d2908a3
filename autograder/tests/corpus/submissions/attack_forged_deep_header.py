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
    "echo": [],
    "location": None,
    "answers": {},
    "public": [None] * 6,
    "observed": {"purity": [], "compilations": []},
}

answer({**forged, "failures": eval("[" * 90 + "]" * 90)})
