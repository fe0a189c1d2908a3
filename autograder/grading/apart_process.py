"""The process that reads submissions: `python -m autograder.grading.apart_process SECONDS`.

It takes requests from standard input, each the name of a function of the kit and its arguments, and
answers on standard output with what the function returns, as JSON. What it reads never becomes
code. Whoever asks (`apart`) watches its CPU time and its memory. Where the system has limits, it
also sets its own: so it ends even if whoever asks has ended.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from typing import IO, Any

from autograder.model.kit_fault import kit_message
from autograder.processes.frames import read_frames, write_frame
from autograder.processes.usage import hard_limit

_ALLOCATED = 2 * 2**30
"""Bytes of address space: a single request for more fails at once."""
_LONGEST = 64 * 2**20
"""Bytes of an answer: a repaired notebook holds at most the images of one of 20 MiB."""


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):  # Windows, and macOS, which does not count it
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (_ALLOCATED, hard))


def _limit_time(seconds: float) -> None:
    """End this process once the next reading takes far more CPU time than it may."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        latest = int(used.ru_utime + used.ru_stime) + hard_limit(seconds)
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        resource.setrlimit(resource.RLIMIT_CPU, (latest, hard))


def _read(request: dict[str, Any], blobs: list[bytes]) -> bytes:
    module, name = request["function"]
    result = getattr(import_module(module), name)(*request["arguments"], *blobs)
    answer = json.dumps(result).encode()
    if len(answer) > _LONGEST:
        raise MemoryError
    return answer


def _answer(request: dict[str, Any], blobs: list[bytes]) -> tuple[dict[str, Any], list[bytes]]:
    try:
        return {}, [_read(request, blobs)]
    except RecursionError:
        return {"out": "depth"}, []
    except MemoryError:
        return {"out": "memory"}, []
    except Exception as error:
        return {"failed": kit_message(error, "{error}{where}")}, []


def _serve(requests: IO[bytes], answers: IO[bytes], seconds: float) -> None:
    """Answer requests until the stream ends."""
    import_module("autograder.grading.readings")  # so that the first request need not wait
    write_frame(answers, {"ready": True})
    for request, blobs in read_frames(requests):
        _limit_time(seconds)
        write_frame(answers, *_answer(request, blobs))


def main() -> None:
    """Serve readings until standard input ends."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that is printed must end up between frames
    warnings.simplefilter("ignore")  # about a student's source
    _limit_memory()
    _serve(sys.stdin.buffer, answers, float(sys.argv[1]))


if __name__ == "__main__":
    main()
