"""Frames between processes: a JSON header and raw bytes. Nothing is ever unpickled.

A frame is the 4-byte big-endian length of the header, the header (JSON with the lengths of the
blobs under ``"blobs"``), then the blobs. Sizes are checked before anything is read.
"""

from __future__ import annotations

import json
import os
import queue
import select
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, Any

MAX_HEADER = 16 * 2**20
MAX_ANSWER = 4 * 2**20
"""The largest header that an untrusted process may send."""
MAX_BLOBS = 256 * 2**20
MAX_BLOB_COUNT = 10_000
SEND_SECONDS = 1.0


class FrameError(Exception):
    """Bytes that are not a frame, or a frame that is too large."""


def write_frame(stream: IO[bytes], header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    """Write one frame: a header as JSON, and blobs."""
    text = json.dumps({**header, "blobs": [len(b) for b in blobs]}).encode()
    stream.write(len(text).to_bytes(4, "big") + text)
    for blob in blobs:
        stream.write(blob)
    stream.flush()


def send_frame(stream: IO[bytes], header: dict[str, Any], blobs: Sequence[bytes] = ()) -> None:
    """Write a frame to a process that may not read it: wait no longer than `SEND_SECONDS`.

    What is left is written while whoever asks waits for the answer, or until the process is ended.

    Raises:
        OSError: the process has closed its pipe.
    """
    failed: list[OSError] = []

    def write() -> None:
        try:
            write_frame(stream, header, blobs)
        except OSError as error:
            failed.append(error)
        except ValueError:
            if not stream.closed:  # else the process was ended meanwhile, and with it the pipe
                raise

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    thread.join(SEND_SECONDS)
    if failed:
        raise failed[0]


class DeadlineReader:
    """Reads a pipe until a time on the monotonic clock, then raises `TimeoutError`."""

    def __init__(self, descriptor: int, deadline: float) -> None:
        self._descriptor = descriptor
        self._deadline = deadline

    def read(self, size: int, /) -> bytes:
        """Read so many bytes, until the deadline."""
        data = bytearray()
        while len(data) < size:
            left = self._deadline - time.monotonic()
            if left <= 0 or not select.select([self._descriptor], [], [], left)[0]:
                raise TimeoutError
            part = os.read(self._descriptor, min(size - len(data), 2**20))
            if not part:
                break
            data += part
        return bytes(data)


def _read_exactly(stream: IO[bytes] | DeadlineReader, size: int) -> bytes:
    data = stream.read(size)
    if data is None or len(data) != size:
        raise FrameError("the other process closed the connection")
    return data


def read_frame(
    stream: IO[bytes] | DeadlineReader, max_header: int = MAX_HEADER
) -> tuple[dict[str, Any], list[bytes]]:
    """Read the header and the blobs of one frame.

    Args:
        stream: what the other process writes to.
        max_header: the largest header in bytes; a larger one is neither read nor parsed.

    Raises:
        FrameError: the stream ended, the frame is too large, or the header is not a JSON object
            with valid blob lengths.
    """
    size = int.from_bytes(_read_exactly(stream, 4), "big")
    if size > max_header:
        raise FrameError(f"header of {size} bytes")
    try:
        header = json.loads(_read_exactly(stream, size))
        lengths = header["blobs"]
        if len(lengths) > MAX_BLOB_COUNT or any(type(n) is not int or n < 0 for n in lengths):
            raise ValueError("blob lengths")
        if sum(lengths) > MAX_BLOBS:
            raise ValueError("too large blobs")
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FrameError(f"malformed header: {error}") from None
    return header, [_read_exactly(stream, n) for n in lengths]


def read_frames(stream: IO[bytes]) -> Iterator[tuple[dict[str, Any], list[bytes]]]:
    """Yield the frames of a stream until it ends."""
    with suppress(FrameError):
        while True:
            yield read_frame(stream)


class FrameQueue:
    """The frames that a child process writes. A thread reads them: Windows cannot wait for a pipe.

    Args:
        stream: what the child writes to; the thread ends with it.
        max_header: of each frame, see `read_frame`.
    """

    def __init__(self, stream: IO[bytes], max_header: int = MAX_HEADER) -> None:
        self._frames: queue.Queue[tuple[dict[str, Any], list[bytes]] | None] = queue.Queue()
        self._max_header = max_header
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            try:
                while True:
                    self._frames.put(read_frame(stream, self._max_header))
            except (FrameError, OSError):
                self._frames.put(None)

    def next(self, seconds: float) -> tuple[dict[str, Any], list[bytes]]:
        """Return the next frame.

        Raises:
            TimeoutError: there is none after this time.
            FrameError: there will be none.
        """
        try:
            frame = self._frames.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError from None
        if frame is None:
            self._frames.put(None)
            raise FrameError("the other process closed the connection, or sent no frame")
        return frame
