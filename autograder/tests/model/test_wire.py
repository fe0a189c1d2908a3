import io
import json
import os
import struct
import subprocess
import time
from typing import NamedTuple

import jax
import numpy as np
import optax
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from autograder.model.observation import Blobs, Observation, decode, encode
from autograder.model.program import Program
from autograder.model.wire import (
    DTYPES,
    array_from_blob,
    array_to_blob,
    call_from_json,
    call_to_json,
)
from autograder.processes.child_process import end
from autograder.processes.frames import FrameError, read_frame, send_frame, write_frame


@given(st.dictionaries(st.text(), st.integers() | st.text()), st.lists(st.binary(max_size=99)))
def test_frames_round_trip(header, blobs):
    stream = io.BytesIO()
    write_frame(stream, header, blobs)
    stream.seek(0)
    got, got_blobs = read_frame(stream)
    assert {k: v for k, v in got.items() if k != "blobs"} == {
        k: v for k, v in header.items() if k != "blobs"
    }
    assert got_blobs == blobs


def frame(header: bytes) -> bytes:
    return struct.pack(">I", len(header)) + header


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\0\0",
        struct.pack(">I", 2**31),
        frame(b"no json"),
        frame(b"[]"),
        frame(b"{}"),
        frame(b'{"blobs": [-1]}'),
        frame(b'{"blobs": [true]}'),
        frame(b'{"blobs": ["1"]}'),
        frame(b'{"blobs": [9999999999999]}'),
        frame(b'{"blobs": [5]}') + b"123",
        frame(b"[" * 100_000),
    ],
)
def test_malformed_frames(data):
    with pytest.raises(FrameError):
        read_frame(io.BytesIO(data))


@pytest.mark.slow
@given(hnp.arrays(st.sampled_from(sorted(DTYPES, key=str)), hnp.array_shapes(min_side=0)))
def test_arrays_round_trip(array):
    meta, blob = array_to_blob(array)
    got = array_from_blob(json.loads(json.dumps(meta)), blob)
    np.testing.assert_array_equal(got, array)
    assert got.dtype == array.dtype


@pytest.mark.parametrize(
    "meta",
    [
        None,
        {"dtype": "object", "shape": [1]},
        {"dtype": "float32", "shape": [2]},
        {"dtype": "nonsense", "shape": [1]},
        {"dtype": "(1,", "shape": [1]},
        {"dtype": "float32", "shape": [float("inf")]},
        {"dtype": "float32", "shape": [2**70]},
        {"dtype": "float32", "shape": [-1]},
        {"dtype": "float32"},
    ],
)
def test_malformed_arrays(meta):
    with pytest.raises(FrameError, match="malformed array"):
        array_from_blob(meta, b"1234")


def test_a_program_larger_than_any_that_is_graded_is_left_out():
    """Also the one that is only to be timed, which no judge runs."""
    programs = Program(b"small", ("",)), Program(b"\0" * 2_000_001, ("",))
    blobs = Blobs()
    sent = encode(Observation(programs=programs, failures=(None, None)), blobs)
    seen = decode(sent, blobs.list, ())
    assert seen.programs == (programs[0], None)
    assert seen.failures[0] is None
    failure = seen.failures[1]
    assert failure is not None
    assert failure.rule == "too-large" and "2,000,001 bytes" in failure.message


def test_calls_on_shapes_round_trip():
    spec = jax.ShapeDtypeStruct((2, 3), np.float32)
    call = (spec, 2, "mean", True, None, 0.5, {"B": spec, "n": [spec, (1, spec)]})
    assert call_from_json(json.loads(json.dumps(call_to_json(call)))) == call


def test_named_tuples_keep_their_type():
    spec = jax.ShapeDtypeStruct((2, 3), np.float32)
    state = optax.adam(0.1).init({"B": np.ones((2, 3), np.float32)})
    call = (jax.eval_shape(lambda: state), spec)
    read = call_from_json(json.loads(json.dumps(call_to_json(call))))
    assert read == call
    assert jax.tree.structure(read) == jax.tree.structure(call)


def test_a_named_tuple_must_be_importable():
    class Local(NamedTuple):
        x: int

    with pytest.raises(TypeError, match="take it from a package, or pass a plain tuple"):
        call_to_json((Local(1),))


def test_other_arguments_are_refused():
    with pytest.raises(TypeError, match="a set cannot be an argument"):
        call_to_json(({1},))


def test_a_process_that_reads_nothing_holds_nobody_up():
    """Its pipe holds some 64 KB; the rest is written once it reads, or its process ends."""
    blob = bytes(10**6)
    with subprocess.Popen(["sleep", "100"], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        began = time.monotonic()
        send_frame(process.stdin, {}, [blob])
        assert time.monotonic() - began < 30
        end(process)
    read, write = os.pipe()
    with open(read, "rb") as reading, open(write, "wb") as writing:
        send_frame(writing, {"a": 1}, [blob])
        assert read_frame(reading) == ({"a": 1, "blobs": [10**6]}, [blob])
    read, write = os.pipe()
    os.close(read)
    with pytest.raises(BrokenPipeError), open(write, "wb") as writing:
        send_frame(writing, {}, [blob])


class ClosedMeanwhile(io.BytesIO):
    """A pipe to a process that is ended while a frame is written."""

    def write(self, data) -> int:
        written = super().write(data)
        self.close()
        return written


def test_a_process_that_is_ended_while_a_frame_is_written_leaves_no_error():
    send_frame(ClosedMeanwhile(), {}, [b"a", b"b"])
