"""The judge: runs exported programs in a disposable child process and compares their results.

The child is trusted code, but the programs it runs may loop for ever or ask for all memory; so it
is a process of its own, with limits, killed and started anew when needed. It keeps warm between
requests: starting costs about a second, a request for a small exercise some ten milliseconds.
"""

from __future__ import annotations

import atexit
import os
import selectors
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any, Protocol

from autograder.core.child_process import module_command, with_kit
from autograder.core.figures import Figure, read_figure
from autograder.core.finding import Finding
from autograder.core.kit_fault import KitFault
from autograder.core.messages import MACHINE_BUSY
from autograder.core.observation import Blobs, Observation, encode
from autograder.core.one_core import ENVIRONMENT
from autograder.core.process_usage import resident_bytes
from autograder.core.report import CRITERIA
from autograder.core.stopwatch import Overdue, Stopwatch
from autograder.core.wire import FrameError, read_frame, write_frame

# Taken when the kit is imported, before a student's cell can change it.
_ENVIRONMENT = dict(os.environ)

START_SECONDS = 120.0
REQUESTS = 100
"""How many requests a child answers before a new one takes its place: what XLA keeps of programs
that are no longer there adds up over a class."""
LOOK_SECONDS = 0.05
"""How often the child's memory is looked at while it works."""


@dataclass(frozen=True)
class Judged:
    """What the child said: findings by criterion."""

    findings: Mapping[str, tuple[Finding, ...]]


class JudgeError(RuntimeError):
    """The judge itself cannot work here; nobody's submission is to blame."""


class JudgeTimeout(Exception):
    """A request took longer than its limit; the child was killed."""


class JudgeStarved(KitFault):
    """A request was not answered, because other work had the processors; the child was killed."""


class JudgeDied(Exception):
    """The child ended while it ran a request."""


class AnyJudge(Protocol):
    """A judge, or several that stand in for one."""

    def launch(self) -> None: ...

    def ask(
        self, header: dict[str, Any], blobs: Sequence[bytes] = (), seconds: float = 30.0
    ) -> dict[str, Any]: ...


class Judge:
    """A judge child that is started when first needed and again after it had to be killed."""

    def __init__(self, memory_bytes: int = 8 * 2**30) -> None:
        """
        Args:
            memory_bytes: that the child may have in RAM; it is killed when it has more.
        """
        self._memory = memory_bytes
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._ready = False
        self._answered = 0

    def launch(self) -> None:
        """Start the child if there is none, without waiting for it: it warms up meanwhile."""
        if self._process is not None and self._process.poll() is None:
            return
        self.close()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._ready, self._answered = False, 0
        self._process = subprocess.Popen(
            module_command("autograder.judge.child"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            # Outputs are compared on a CPU, whatever the notebook uses; the GPU is the notebook's.
            env=with_kit({**_ENVIRONMENT, **ENVIRONMENT, "JAX_PLATFORMS": "cpu"}),
            cwd="/",
            start_new_session=True,  # Ctrl-C is the student's, not the judge's
        )

    def _wait_until_ready(self) -> None:
        try:
            hello, _ = self._receive(START_SECONDS)
        except (JudgeDied, JudgeTimeout, JudgeStarved) as error:
            raise JudgeError(f"the judge process did not start: {error}") from None
        if "error" in hello:
            self.close()
            raise JudgeError(hello["error"])
        self._ready = True

    def _receive(self, seconds: float) -> tuple[dict[str, Any], list[bytes]]:
        assert self._process is not None and self._process.stdout is not None
        process = self._process.pid
        stopwatch = Stopwatch(lambda: [process])
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while not selector.select(min(LOOK_SECONDS, seconds)):
                self._check_memory()
                reason = stopwatch.overdue(seconds)
                if reason is not None:
                    self.close()
                    if reason is Overdue.STARVED:
                        raise JudgeStarved(MACHINE_BUSY)
                    raise JudgeTimeout(f"{seconds:g} s")
        try:
            return read_frame(self._process.stdout)  # type: ignore[arg-type]
        except FrameError:
            raise JudgeDied(self._last_words()) from None

    def _check_memory(self) -> None:
        assert self._process is not None
        if resident_bytes(self._process.pid) > self._memory:
            self.close()
            raise JudgeDied(f"it took more than {self._memory / 2**30:.3g} GiB of memory")

    def _last_words(self) -> str:
        assert self._process is not None and self._log is not None
        self._process.kill()
        status = self._process.wait()
        end = self._log.seek(0, os.SEEK_END)
        self._log.seek(max(0, end - 4000))
        lines = self._log.read().decode(errors="replace").strip().splitlines()
        self.close()
        return lines[-1][:300] if lines else f"exit status {status}"

    def ask(
        self, header: dict[str, Any], blobs: Sequence[bytes] = (), seconds: float = 30.0
    ) -> dict[str, Any]:
        """Send one request and wait for the answer.

        Raises:
            JudgeTimeout: no answer in time; the child was killed and will be started anew.
            JudgeStarved: the same, but other work had the processors.
            JudgeDied: the child ended, for instance for want of memory.
            JudgeError: the judge cannot work on this machine, or the rubric is at fault.
            KitFault: the child failed on this request, and serves the next one.
        """
        self.launch()
        if not self._ready:
            self._wait_until_ready()
        assert self._process is not None and self._process.stdin is not None
        nonce = os.urandom(16).hex()
        try:
            write_frame(self._process.stdin, {**header, "nonce": nonce}, blobs)  # type: ignore[arg-type]
        except BrokenPipeError:
            raise JudgeDied(self._last_words()) from None
        answer, _ = self._receive(seconds)
        if answer.get("nonce") != nonce:  # not an answer to what was asked
            self.close()
            raise JudgeDied("its answer was tampered with")
        if "error" in answer:
            raise JudgeError(answer["error"])
        if "fault" in answer:
            raise KitFault(answer["fault"])
        self._answered += 1
        if self._answered >= REQUESTS:
            self.close()
            self.launch()
        return answer

    def close(self) -> None:
        """End the child, if there is one."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
        if self._log is not None:
            self._log.close()
            self._log = None


_shared: Judge | None = None


def shared_judge() -> Judge:
    """The process-wide judge, ended with the process."""
    global _shared
    if _shared is None:
        _shared = Judge()
        atexit.register(_shared.close)
    return _shared


def judge_programs(
    judge: AnyJudge,
    rubric_source: str,
    exercise: str,
    key: int,
    observation: Observation,
    seconds: float = 30.0,
    to_time: bool = False,
    redraws: Mapping[int, int] | None = None,
    yardstick: Sequence[str] = (),
) -> Judged:
    """Run an observation's programs and compare them with the reference.

    Args:
        judge: the child to use.
        rubric_source: lesson name or rubric file.
        exercise: the exercise's name.
        key: of the draws to judge with.
        observation: of the calls listed by `autograder.grading.mark.calls_to_export`.
        seconds: limit for everything together, see `autograder.core.stopwatch`.
        to_time: the observation's last program is the one to time: see whether it can be loaded.
        redraws: of the exercise that the programs were made for; see `autograder.grading.settle`.
        yardstick: the lesson's cells up to its own solution; see `autograder.core.rubric.Exercise`.

    Returns:
        Findings by criterion.
    """
    blobs = Blobs()
    header = {
        "rubric": rubric_source,
        "exercise": exercise,
        "key": key,
        "to_time": to_time,
        "redraws": dict(redraws or {}),
        "yardstick": list(yardstick),
        "observation": encode(observation, blobs),
    }
    answer = judge.ask(header, blobs.list, seconds)
    return Judged(
        {
            name: tuple(Finding.from_json(f) for f in answer["findings"].get(name, ()))
            for name in CRITERIA
        }
    )


def judge_curve(
    judge: AnyJudge,
    rubric_source: str,
    exercise: str,
    program: bytes,
    seconds: float = 10.0,
    redraws: int = 0,
) -> Figure | None:
    """Draw an exercise's curve from the program of its longest call; None where it does not run.

    A request of its own, so that no mark hangs on it. `redraws` are those of the public key.

    Raises:
        JudgeError: the judge cannot work here.
    """
    header = {"rubric": rubric_source, "exercise": exercise, "curve": True, "redraws": redraws}
    try:
        return read_figure(judge.ask(header, [program], seconds)["figure"])
    except (JudgeTimeout, JudgeDied, KitFault):
        return None


def judge_draw(
    judge: AnyJudge, rubric_source: str, exercise: str, key: int, seconds: float = 120.0
) -> int:
    """How many draws of a key must be passed over because the reference cannot judge with them.

    No student's code has a part in it, so that whatever goes wrong is the rubric's fault.

    Raises:
        JudgeError: the judge cannot work here, or the rubric is at fault.
    """
    header = {"rubric": rubric_source, "exercise": exercise, "key": key, "settle": True}
    try:
        return judge.ask(header, (), seconds)["redraws"]
    except (JudgeTimeout, JudgeDied) as error:
        raise JudgeError(
            f"the rubric of {rubric_source!r} is at fault: the reference of exercise {exercise!r} "
            f"did not end well ({error})"
        ) from None
