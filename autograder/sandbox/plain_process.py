"""A learner's worker: `python -m autograder.sandbox.plain_process ECHO`.

It runs the cells of one notebook, in the current folder. Nothing confines it: the code is the
learner's own, and so is the machine. It reads one request from standard input and answers on
standard output, which works on every system.
"""

from __future__ import annotations

import os
import sys

from autograder.processes.frames import write_frame
from autograder.sandbox import worker


def main() -> None:
    """Serve one request."""
    second = sys.argv[1] == "1"
    requests, answers = os.dup(0), os.dup(1)
    with os.fdopen(os.dup(answers), "wb") as stream:
        write_frame(stream, {"ready": True})
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # nobody reads what the cells print
        os.dup2(nowhere, standard)
    worker.run(requests, answers, second=second)


if __name__ == "__main__":
    main()
