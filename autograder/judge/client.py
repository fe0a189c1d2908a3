"""The judge as the grader sees it: starts the child process and sends it requests.

The child is trusted code. The programs are not: they may loop for ever, use all memory or break
the process that runs them. Where a class is graded, that is another, confined process for each
request. For a learner it is the child itself, which is killed and started again when needed. The
child stays warm between requests: starting takes about a second, a request for a small exercise
about 10 ms.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from autograder.model.figures import Figure, read_figure
from autograder.model.finding import Finding
from autograder.model.kit_fault import CannotJudge, KitFault
from autograder.model.messages import CANNOT_JUDGE, MACHINE_BUSY
from autograder.model.observation import Blobs, Observation, encode
from autograder.model.program import ProgramError
from autograder.model.reasons import JUDGE_DIED
from autograder.model.report import CRITERIA
from autograder.model.rubric import Drawn
from autograder.model.terms import AnyJudge
from autograder.processes.child_process import (
    ONE_CORE,
    compiling_fast,
    module_command,
    without_settings,
)
from autograder.processes.usage import Overdue
from autograder.processes.watched_child import Unanswered, WatchedChild
from autograder.sandbox.runner_client import runner_limits

# Copied when the kit is imported, before a student's cell can change it.
_ENVIRONMENT = dict(os.environ)

START_SECONDS = 120.0
SETTLE_SECONDS = 120.0
COMPARE_SECONDS = 60.0
"""How much longer than the programs of a request a judge may take that runs them elsewhere."""
TOO_MUCH_MEMORY = "it took more than {gib:.3g} GiB of memory"
REQUESTS = 100
"""How many requests a child answers before a new one replaces it: XLA keeps some memory of every
program, which adds up over a class."""
WAIT_SECONDS = 2.0
"""How long a request waits for a busy judge of a class before another one is started."""


Judged = Mapping[str, tuple[Finding, ...]]
"""The judge's findings by criterion."""


class Judge:
    """A child process that starts when it is first needed, and again after it was killed.

    Args:
        memory_bytes: of RAM that it may use before it is killed.
        apart: whether programs run in another, confined process. That needs Linux.
    """

    def __init__(self, memory_bytes: int = 4 * 2**30, *, apart: bool = False) -> None:
        self._memory = memory_bytes
        self._apart = apart
        self.devices = 1
        self._child: WatchedChild | None = None
        self._answered = 0

    def launch(self, devices: int = 1) -> None:
        """Start a child with so many CPU devices if there is none; do not wait until it is ready.

        A child with another number of devices is ended.
        """
        if self._child is not None and self._child.is_alive() and self.devices == devices:
            return
        self.close()
        self.devices, self._answered = devices, 0
        # Outputs are always compared on a CPU: the GPU belongs to the notebook.
        environment = {**without_settings(_ENVIRONMENT), **ONE_CORE, "JAX_PLATFORMS": "cpu"}
        arguments = [str(devices), *["apart"] * self._apart]
        command = module_command("autograder.judge.child", *arguments)
        self._child = WatchedChild(command, compiling_fast(environment), "/")

    def _wait_until_ready(self, child: WatchedChild) -> None:
        try:
            first = self._receive(child, START_SECONDS)
        except (ProgramError, KitFault) as error:
            raise CannotJudge(f"the judge process did not start: {error}") from None
        if "error" in first:
            self.close()
            raise CannotJudge(first["error"])
        child.is_ready = True

    def _receive(self, child: WatchedChild, seconds: float) -> dict[str, Any]:
        try:  # confined processes that run programs have limits of their own
            return child.receive(seconds, self._memory, alone=self._apart)[0]
        except Unanswered as error:
            last_words = self._end(child)
            raise _explain_end(error.reason, seconds, self._memory, last_words) from None

    def _end(self, child: WatchedChild) -> str:
        """End the child and return the last line that it wrote, or its exit status."""
        last_words = child.last_words() or f"exit status {child.process.returncode}"
        self.close()
        return last_words

    def ask(
        self, header: dict[str, Any], blobs: Sequence[bytes] = (), seconds: float = 30.0
    ) -> dict[str, Any]:
        """Send one request and wait for the answer.

        The child has as many CPU devices as the request's `devices`, one by default.

        Raises:
            ProgramError: the programs took too much time or memory, or the process that ran them
                ended; the child was killed, if it was that one.
            CannotJudge: the judge cannot work on this machine, or the rubric is at fault.
            KitFault: the kit failed on this request, or other work had the processors.
        """
        self.launch(header.get("devices", 1))
        child = self._child
        assert child is not None
        if not child.is_ready:
            self._wait_until_ready(child)
        nonce = os.urandom(16).hex()
        try:
            child.send({**header, "seconds": seconds, "nonce": nonce}, blobs)
        except OSError:  # a pipe that the child has closed; its errno depends on the system
            # Nothing of the request has run.
            problem = f"the judge process ended ({self._end(child)})"
            raise KitFault(CANNOT_JUDGE.format(error=problem)) from None
        answer = self._receive(child, seconds + self._apart * COMPARE_SECONDS)
        if answer.get("nonce") != nonce:  # this does not answer the request
            self.close()
            raise ProgramError(JUDGE_DIED, "its answer was tampered with")
        if "error" in answer:
            raise CannotJudge(answer["error"])
        if "fault" in answer:
            raise KitFault(answer["fault"])
        if "ended" in answer:
            memory = runner_limits(seconds).resident
            raise _explain_end(answer["ended"], seconds, memory, "it ended")
        self._answered += 1
        if self._answered >= REQUESTS:
            self.close()
            self.launch(self.devices)
        return answer

    def close(self) -> None:
        """End the child, if there is one."""
        if self._child is not None:
            self._child.close()
            self._child = None


def _explain_end(reason: str, seconds: float, memory: int, last_words: str) -> Exception:
    """Return the exception for the reason why a process that ran programs ended.

    `seconds` and `memory` are its limits; `last_words` says how it ended by itself.
    """
    if reason == Overdue.TIMEOUT:
        return ProgramError("run-timeout", f"{seconds:g} s")
    if reason in (Overdue.STARVED, Overdue.STALLED):
        return KitFault(MACHINE_BUSY)
    if reason == "memory":
        return ProgramError("run-failed", TOO_MUCH_MEMORY.format(gib=memory / 2**30))
    return ProgramError(JUDGE_DIED, last_words)


class JudgePool:
    """Judges of a class that several threads share: as few as keep up. Use it like a `Judge`.

    A judge takes a second to start, and keeps the results of a rubric's references. So a request
    waits a little before it starts another judge, but not for a program that never ends.
    """

    def __init__(self) -> None:
        self._free: list[Judge] = []
        self._all: list[Judge] = []
        self._changed = threading.Condition()

    def launch(self, devices: int = 1) -> None:
        """Start the first judge without waiting for it."""
        with self._changed:
            if not self._all:
                self._free.append(self._add())
                self._free[-1].launch(devices)

    def _add(self) -> Judge:
        self._all.append(Judge(apart=True))
        return self._all[-1]

    def _take(self, devices: int) -> Judge:
        with self._changed:
            if not self._all or not self._changed.wait_for(lambda: self._free, WAIT_SECONDS):
                return self._add()
            judge = next((j for j in self._free if j.devices == devices), self._free[-1])
            self._free.remove(judge)
            return judge

    def ask(
        self, header: dict[str, Any], blobs: Sequence[bytes] = (), seconds: float = 30.0
    ) -> dict[str, Any]:
        """Send one request and wait for the answer. Raises the exceptions of `Judge.ask`."""
        judge = self._take(header.get("devices", 1))
        try:
            return judge.ask(header, blobs, seconds)
        finally:
            with self._changed:
                self._free.append(judge)
                self._changed.notify()

    def close(self) -> None:
        """End all judges. Each starts again when it is needed."""
        with self._changed:
            judges = list(self._all)
        for judge in judges:
            judge.close()


@lru_cache
def shared_judge() -> Judge:
    """Return this process's own judge for a learner, which ends with the process."""
    judge = Judge()
    atexit.register(judge.close)
    return judge


@lru_cache
def shared_class_judge() -> JudgePool:
    """Return this process's own judges for a class, which end with the process."""
    judges = JudgePool()
    atexit.register(judges.close)
    return judges


def judge_programs(
    judge: AnyJudge,
    drawn: Drawn,
    observation: Observation,
    seconds: float = 30.0,
    *,
    to_time: bool = False,
) -> Judged:
    """Run an observation's programs and judge them by all criteria.

    Args:
        judge: runs the programs.
        drawn: the exercise, with the draws that count.
        observation: of the calls listed by `autograder.grading.run.calls_to_export`.
        seconds: limit for the whole request; see `autograder.processes.usage`.
        to_time: whether the last program is the one to time: then only its loading is tested.
    """
    blobs = Blobs()
    header = _name(drawn, to_time=to_time, observation=encode(observation, blobs))
    found = judge.ask(header, blobs.list, seconds)["findings"]
    return {name: tuple(Finding.from_json(f) for f in found.get(name, ())) for name in CRITERIA}


def judge_curve(
    judge: AnyJudge, drawn: Drawn, program: bytes, seconds: float = 10.0
) -> Figure | None:
    """Draw an exercise's curve from the program of its longest call; None if it does not run.

    This is a request of its own, so that no mark depends on it.
    """
    return _ask_for_figure(judge, _name(drawn, curve=True), [program], seconds)


def judge_jaxpr(judge: AnyJudge, drawn: Drawn, lines: Sequence[str]) -> Figure | None:
    """Compare the lines of a jaxpr with those of the lesson's own solution, on the same call."""
    return _ask_for_figure(judge, _name(drawn, jaxpr=list(lines)), (), COMPARE_SECONDS)


def _ask_for_figure(
    judge: AnyJudge, header: dict[str, Any], blobs: Sequence[bytes], seconds: float
) -> Figure | None:
    try:
        return read_figure(judge.ask(header, blobs, seconds)["figure"])
    except (ProgramError, KitFault):
        return None


def judge_draw(judge: AnyJudge, drawn: Drawn, key: int) -> int:
    """Return how many draws of a key to skip because the reference cannot judge with them.

    No student's code takes part in this. So whatever goes wrong is the rubric's fault.

    Raises:
        CannotJudge: the judge cannot work here, or the rubric is at fault.
    """
    try:
        return judge.ask(_name(drawn, settle=key), (), SETTLE_SECONDS)["redraws"]
    except ProgramError as error:
        raise CannotJudge(
            f"the rubric of {drawn.rubric!r} is at fault: the reference of exercise "
            f"{drawn.name!r} did not finish ({error})"
        ) from None


def _name(drawn: Drawn, **request: Any) -> dict[str, Any]:
    """Return a request about an exercise."""
    return {"exercise": drawn.to_json(), "devices": drawn.devices, **request}
