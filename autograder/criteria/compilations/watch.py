"""Watch JAX compile: a monitoring listener, and a profile hook that sees what is being traced.

The listener is called in the thread that compiles, while it compiles, so the Python stack tells
the student's line. The profile hook tells apart the student's programs from single operations of
a library, and records the arguments of each traced function.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType, TracebackType

from autograder.core import jax_access
from autograder.core.student_code import Line, student_files
from autograder.criteria.compilations import programs, signatures
from autograder.criteria.compilations.records import Compilation, Trace

# Run when JAX takes a student's container apart and puts it together: no program begins there.
_CONTAINER_METHODS = {"__init__", "__post_init__", "__new__", "tree_flatten", "tree_unflatten"}
_TRACES_KEPT = 300
_SHARED_NAMES = {"<string>", "<stdin>", "<unknown>"}  # many modules have code under these names
_THREAD_STARTERS = [
    getattr(_thread, name)
    for name in ("start_new_thread", "start_joinable_thread")
    if hasattr(_thread, name)
]
_WATCHED_FILES = frozenset(
    code.co_filename
    for code in (
        jax_access.COMPILE_CODE,
        jax_access.JIT_CODE,
        jax_access.CLEAR_CODE,
        jax_access.AHEAD_CODE,
    )
    if code is not None
)


class _Thread(threading.local):
    """What one thread has traced and lowered since its last program of the student's own."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []
        self.lowered: dict[str, object] = {}


class Watch:
    """Context manager collecting `compilations`; `call` numbers what comes in."""

    def __init__(self, function: object, module: ModuleType) -> None:
        self.namespace = vars(module)
        self.files = student_files(module)
        self.frame_files = self.files - _SHARED_NAMES
        self.made = programs.library_jits(function, module)
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
        return frame.f_globals is self.namespace or frame.f_code.co_filename in self.frame_files

    def student_line(self, frame: FrameType | None) -> int | None:
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
        elif code.co_filename in _WATCHED_FILES:  # every call comes here: one look must do
            self._jax_call(frame, code)

    def _jax_call(self, frame: FrameType, code: CodeType) -> None:
        """A call inside JAX that may be one of those to watch."""
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
                    signature=signatures.of_frame(frame),
                    options=jax_access.options(),
                    clears=self.clears,
                )
            )

    def _listen(self, event: str, duration_secs: float, **kwargs: str | int) -> None:
        if event == jax_access.PROBE_EVENT:
            self.probed = True
        elif event == jax_access.LOWER_EVENT:
            program = programs.program_on_stack(sys._getframe(1), self.is_student)
            self._thread.lowered[str(kwargs.get("fun_name"))] = program
        elif event == jax_access.COMPILE_EVENT:
            self._compiled(sys._getframe(1), str(kwargs.get("fun_name")))

    def _compiled(self, frame: FrameType, fun_name: str) -> None:
        state = self._thread
        lowered = state.lowered.pop(fun_name, None)
        program = programs.program_on_stack(frame, self.is_student) or lowered
        name, file, line = programs.source_of(program)
        if program is None:
            own = programs.compiled_by_hand(frame, self.is_student)
            name = fun_name.removeprefix("jit(").removesuffix(")")
        else:
            stack = programs.files_on_stack(frame) if state.traces else []
            own = programs.is_own(program, self.files, self.made, stack)
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
                transformed=programs.transformed(frame, self.is_student),
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()
