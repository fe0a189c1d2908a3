"""Watches JAX compile: a monitoring listener, and a profile hook that sees what is being traced.

The listener is called in the thread that compiles, while it compiles, so the Python stack shows
the student's line. The profile hook tells the student's programs from single operations of a
library, and records the arguments of each traced function.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType, FrameType, ModuleType

from autograder.core import jax_access
from autograder.core.jax_internals import source_of
from autograder.core.student_code import Line, student_files
from autograder.criteria.compilations import ownership
from autograder.criteria.compilations.signatures import signature_of_frame

# Run when JAX takes a student's container apart and puts it together: no program begins there.
_CONTAINER_METHODS = {"__init__", "__post_init__", "__new__", "tree_flatten", "tree_unflatten"}
_TRACES_KEPT = 300
_SHARED_NAMES = {"<string>", "<stdin>", "<unknown>"}  # many modules have code under these names
_THREAD_STARTERS = [
    getattr(_thread, name)
    for name in ("start_new_thread", "start_joinable_thread")
    if hasattr(_thread, name)
]
_WATCHED_CODES = (
    jax_access.COMPILE_CODE,
    jax_access.JIT_CODE,
    jax_access.CLEAR_CODE,
    jax_access.AHEAD_CODE,
)
_WATCHED_FILES = frozenset(code.co_filename for code in _WATCHED_CODES if code is not None)


@dataclass(frozen=True)
class Trace:
    """A run of the student's function `name` on tracers.

    `signature` maps each argument leaf and closed-over variable to what it was.
    """

    name: str
    file: str
    line: int
    nested: bool
    caller: int | None
    signature: dict[str, tuple]


@dataclass(frozen=True)
class Compilation:
    """One program that reached the compiler.

    Attributes:
        call: the number of the call that compiled it.
        own: whether it is the student's own, rather than a library's.
        name, file, def_line: those of the traced function.
        operation: what JAX calls the program (``scan`` for a scan outside jit).
        line: the student's line that was running, None when the call came from elsewhere.
        trace: how it was traced; None when a trace made before was compiled anew.
        transformed: whether grad or vmap was applied to it outside jit.
        options: the settings of JAX that are part of the cache key.
        clears: how often JAX's caches had been cleared.
    """

    call: int
    own: bool
    name: str
    operation: str
    file: str
    def_line: int | None
    line: int | None
    trace: Trace | None
    transformed: bool
    options: dict[str, str]
    clears: int


class _Thread(threading.local):
    """What one thread has traced and lowered since it last compiled a program of the student's."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []
        self.lowered: dict[str, object] = {}


class Watch:
    """Context manager that collects `compilations`; `call` is the number of the current call."""

    def __init__(self, function: object, module: ModuleType) -> None:
        self.namespace = vars(module)
        self.files = student_files(module)
        self.frame_files = self.files - _SHARED_NAMES
        self.made = ownership.library_jits(function, module)
        self.call = 0
        self.compilations: list[Compilation] = []
        self.compiles_entered = 0
        self.clears = 0
        self.ahead = False
        self.threads = False
        self.probed = False
        self.on_student_code: Callable[[FrameType], None] = lambda frame: None
        self._seen: set[int] = set()
        self._thread = _Thread()
        self._previous_profile: object = None
        self.hook = self._profile  # one bound method, so that identity can be tested

    def is_student(self, frame: FrameType) -> bool:
        """Whether a frame runs the student's code."""
        return frame.f_globals is self.namespace or frame.f_code.co_filename in self.frame_files

    def student_line(self, frame: FrameType | None) -> int | None:
        """Return the innermost line of the student's at or above `frame`."""
        while frame is not None:
            if self.is_student(frame):
                return Line.of(frame)
            frame = frame.f_back
        return None

    def _profile(self, frame: FrameType, event: str, arg: object) -> None:
        if event != "call":
            if event == "c_call" and arg in _THREAD_STARTERS:
                self.threads = True
            return
        code = frame.f_code
        if frame.f_globals is self.namespace or code.co_filename in self.frame_files:
            self._student_call(frame)
        elif code.co_filename in _WATCHED_FILES:  # every call comes here: this must be quick
            self._jax_call(frame, code)

    def _jax_call(self, frame: FrameType, code: CodeType) -> None:
        """Note a call inside JAX, if it is one of those to watch."""
        if code is jax_access.COMPILE_CODE:
            self.compiles_entered += 1
        elif code is jax_access.JIT_CODE:
            caller = frame.f_back
            while caller is not None and caller.f_code.co_filename.endswith("traceback_util.py"):
                caller = caller.f_back  # JAX wraps its public functions
            if caller is not None and self.is_student(caller):
                name = getattr(frame.f_locals.get("fun"), "__name__", "")
                self.made |= {name} if name else set()
        elif code is jax_access.CLEAR_CODE:
            self.clears += 1
        elif code is jax_access.AHEAD_CODE:
            self.ahead = True

    def _student_call(self, frame: FrameType) -> None:
        code = frame.f_code
        if id(code) not in self._seen:
            self._seen.add(id(code))
            self.files.add(code.co_filename)
            self.on_student_code(frame)
        traces = self._thread.traces
        if len(traces) < _TRACES_KEPT and jax_access.under_jit():
            traces.append(
                Trace(
                    name=code.co_name,
                    file=code.co_filename,
                    line=code.co_firstlineno,
                    nested="<locals>" in code.co_qualname or code.co_name == "<lambda>",
                    caller=self.student_line(frame.f_back),
                    signature=signature_of_frame(frame),
                )
            )

    def _listen(self, event: str, duration_secs: float, **kwargs: str | int) -> None:
        if event == jax_access.PROBE_EVENT:
            self.probed = True
        elif event == jax_access.LOWER_EVENT:
            program = ownership.program_on_stack(sys._getframe(1), self.is_student)
            self._thread.lowered[str(kwargs.get("fun_name"))] = program
        elif event == jax_access.COMPILE_EVENT:
            self._add_compilation(sys._getframe(1), str(kwargs.get("fun_name")))

    def _add_compilation(self, frame: FrameType, fun_name: str) -> None:
        state = self._thread
        lowered = state.lowered.pop(fun_name, None)
        program = ownership.program_on_stack(frame, self.is_student) or lowered
        name, file, line = source_of(program)
        if program is None:
            own = ownership.is_compiled_by_hand(frame, self.is_student)
            name = fun_name.removeprefix("jit(").removesuffix(")")
        else:
            stack = ownership.files_on_stack(frame) if state.traces else []
            own = ownership.is_own(program, self.files, self.made, stack)
        operation, trace = name, None
        if own:
            roots = [t for t in state.traces if (t.name, t.file, t.line) == (name, file, line)]
            others = [t for t in state.traces if t.name not in _CONTAINER_METHODS] or state.traces
            trace = next(iter(roots if file in self.files else roots or others), None)
            state.traces.clear()
        if trace is not None and file not in self.files:
            name, file, line = trace.name, trace.file, trace.line
        self.compilations.append(
            Compilation(
                call=self.call,
                own=own,
                name=name,
                operation=operation,
                file=file,
                def_line=line,
                line=self.student_line(frame),
                trace=trace,
                transformed=ownership.is_transformed(frame, self.is_student),
                options=jax_access.options(),
                clears=self.clears,
            )
        )

    def is_listening(self) -> bool:
        """Whether events still reach this watch."""
        self.probed = False
        jax_access.record_duration(jax_access.PROBE_EVENT, 0.0)
        return self.probed

    def start(self) -> None:
        jax_access.register_listener(self._listen)
        jax_access.set_thread_profile(self.hook)
        jax_access.setprofile(self.hook)

    def stop(self) -> None:
        jax_access.setprofile(self._previous_profile)  # type: ignore[arg-type]
        jax_access.set_thread_profile(self._previous_thread_profile)  # type: ignore[arg-type]
        while self.is_listening():
            jax_access.unregister_listener(self._listen)

    def __enter__(self) -> Watch:
        self._previous_profile = jax_access.getprofile()
        self._previous_thread_profile = threading.getprofile()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
