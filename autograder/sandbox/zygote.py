"""The process that workers are forked from: `python -m autograder.sandbox.zygote ECHO CONFINE`.

Standard input is a socket over which the grader passes, for each submission, three descriptors:
where the request is read, where the answer is written, and a lifeline. This process never sees a
request: it holds no answers, seeds or submissions, has JAX imported and no backend started.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import signal
import socket
import sys

from autograder.sandbox import job, namespaces
from autograder.sandbox.keeper import keep
from autograder.sandbox.limits import Limits


def _confine(limits: Limits) -> None:
    namespaces.own_view(namespaces.SCRATCH, limits.file_size)
    os.chdir(namespaces.SCRATCH)
    namespaces.drop_privileges()


def _leave_to_a_child(descriptors: tuple[int, ...]) -> None:
    """Go on in a child: the first process of a namespace is deaf to the signals that end others."""
    child = os.fork()
    if child == 0:
        return
    for descriptor in descriptors:
        os.close(descriptor)
    while os.wait()[0] != child:  # orphans come here
        pass
    os._exit(0)  # the kernel ends all the others


def _bound(limits: Limits) -> None:
    # Not RLIMIT_AS, which counts what is only reserved: that grows with the machine's cores.
    resource.setrlimit(resource.RLIMIT_DATA, (limits.allocated, limits.allocated))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.file_size, limits.file_size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # writing fails with an error instead


def _serve_one(descriptors: list[int], told: dict, echo: bool, confine: bool) -> None:
    request, answer, lifeline = descriptors
    limits, scratch = Limits(**told["limits"]), told["scratch"]

    def work() -> None:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):  # what the student prints is not ours to read
            os.dup2(nowhere, standard)
        if confine:
            _confine(limits)
            _leave_to_a_child((request, answer))
        else:
            os.chdir(scratch)
            os.environ["TMPDIR"] = scratch
        _bound(limits)
        gc.enable()
        job.run(request, answer, echo=echo)

    reason = keep(work, lifeline, limits, confine=confine)
    with contextlib.suppress(OSError):
        os.write(lifeline, reason.encode() or b"ended")


def _reap() -> None:
    """Wait for the keepers that have ended, so that the CPU time of all of them is counted."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def main() -> None:
    echo, confine = (argument == "1" for argument in sys.argv[1:3])
    control = socket.socket(fileno=os.dup(0))
    namespaces.hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the grader's, who then hangs up
    threads = len(os.listdir("/proc/self/task"))
    control.send(json.dumps({"ready": True, "threads": threads}).encode())
    gc.collect()
    gc.freeze()
    gc.disable()  # keeps the pages shared with the forks
    while True:
        told, descriptors, _, _ = socket.recv_fds(control, 65536, 3)
        if not told:  # the grader has ended: so does everything in this namespace
            if confine:
                os.kill(-1, signal.SIGKILL)
            return
        _reap()
        if os.fork() == 0:
            control.close()
            _serve_one(descriptors, json.loads(told), echo, confine)
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


if __name__ == "__main__":
    main()
