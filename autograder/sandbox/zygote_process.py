"""A zygote: `python -m autograder.sandbox.zygote_process SERVICE PROTECTION`.

It has JAX imported but no backend started, and forks a process for each submission: a worker, a
second one, or a runner of exported programs. Standard input
is a socket on which the grader passes three descriptors for each: one to read the request from,
one to write the answer to, and a lifeline. The zygote never sees a request. So it holds no
answers, keys or submissions.
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
from collections.abc import Callable
from functools import partial

from autograder.processes.usage import hard_limit
from autograder.sandbox import another_user, namespaces, right_answers, system_calls
from autograder.sandbox.keeper import Limits, keep


def _load(service: str) -> Callable[[int, int], None]:
    """Import what the forks do, and return it; it gets the descriptors of requests and answers."""
    if service == "runner":
        from autograder.sandbox import runner_child

        return runner_child.run
    from autograder.sandbox import worker

    return partial(worker.run, second=service == "second")


def _leave_to_a_child(descriptors: tuple[int, ...]) -> None:
    """Continue in a child: the first process of a namespace ignores most signals."""
    child = os.fork()
    if child == 0:
        return
    for descriptor in descriptors:
        os.close(descriptor)
    while os.wait()[0] != child:  # orphans become children of this process
        pass
    os._exit(0)  # the kernel then ends all others in the namespace


def _set_limits(limits: Limits) -> None:
    # Not RLIMIT_AS: it counts reserved memory too, which grows with the machine's cores.
    resource.setrlimit(resource.RLIMIT_DATA, (limits.allocated, limits.allocated))
    resource.setrlimit(resource.RLIMIT_FSIZE, (limits.file_size, limits.file_size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # The keeper ends them earlier. This holds for each process by itself, if the keeper cannot.
    seconds = hard_limit(limits.seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # then writing too much raises an error


def _serve_one(
    descriptors: list[int], order: dict, serve: Callable[[int, int], None], protection: str
) -> None:
    request, answer, lifeline = descriptors
    confine = protection == "namespaces"
    limits, scratch = Limits(**order["limits"]), order["scratch"]

    def work() -> None:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):  # nobody reads what the student prints
            os.dup2(nowhere, standard)
        if confine:
            namespaces.own_view(limits.file_size)
            os.chdir(namespaces.SCRATCH)
            namespaces.drop_privileges()
            system_calls.refuse_ways_out()
            _leave_to_a_child((request, answer))
        else:
            os.chdir(scratch)
            os.environ["TMPDIR"] = os.environ["HOME"] = scratch
            if protection == "user":
                another_user.leave_root(scratch)
        _set_limits(limits)
        gc.enable()
        serve(request, answer)

    reason = keep(work, lifeline, limits, confine=confine)
    with contextlib.suppress(OSError):
        os.write(lifeline, reason.encode() or b"ended")


def main() -> None:
    """Fork a process for each request until the grader hangs up."""
    serve, protection = _load(sys.argv[1]), sys.argv[2]
    right_answers.refuse_imports()
    control = socket.socket(fileno=os.dup(0))
    namespaces.hide_memory()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # on Ctrl-C, the grader hangs up
    control.send(b"ready")
    gc.collect()
    gc.freeze()
    gc.disable()  # keeps the pages shared with the forks
    while True:
        order, descriptors, _, _ = socket.recv_fds(control, 65536, 3)
        if not order:  # the grader has ended, so everything in this namespace ends
            if protection == "namespaces":
                os.kill(-1, signal.SIGKILL)
            return
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:  # so that the keepers' CPU time is counted
                pass
        if os.fork() == 0:
            control.close()
            _serve_one(descriptors, json.loads(order), serve, protection)
            os._exit(0)
        for descriptor in descriptors:
            os.close(descriptor)


if __name__ == "__main__":
    main()
