"""Watches JAX compile: a monitoring listener, and a profile hook that sees what is being traced.

The listener is called in the thread that compiles, while it compiles, so the Python stack shows
the student's line. The profile hook tells the student's programs from single operations of a
library, and records the arguments of each traced function.
"""

from __future__ import annotations

import _thread
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Protocol

from autograder.core import jax_access
from autograder.core.jax_internals import source_of
from autograder.core.quiet_modules import quiet_modules
from autograder.core.student_code import Line, called, student_files
from autograder.criteria.compilations import ownership
from autograder.criteria.compilations.arguments import signature_of_frame
from autograder.criteria.compilations.jit_key import JitKey, handed_functions, key_of

# JAX calls these to flatten and unflatten a student's container. No program begins there.
_CONTAINER_METHODS = {"__init__", "__post_init__", "__new__", "tree_flatten", "tree_unflatten"}
_TRACES_KEPT = 300
_SHARED_NAMES = {"<string>", "<stdin>", "<unknown>"}  # many modules have code under these names
_STARTERS = ("start_new_thread", "start_joinable_thread")
_THREAD_STARTERS = [getattr(_thread, name) for name in _STARTERS if hasattr(_thread, name)]
_COMPILE, _JIT = jax_access.COMPILE_CODE, jax_access.JIT_CODE
_CLEAR, _AHEAD = jax_access.CLEAR_CODE, jax_access.AHEAD_CODE
_WATCHED_FILES = {code.co_filename for code in (_COMPILE, _JIT, _CLEAR, _AHEAD) if code is not None}


class Files(Protocol):
    """Names of files; more are added as their code runs."""

    def __contains__(self, file: object, /) -> bool: ...
    def add(self, file: str, /) -> None: ...


@dataclass(frozen=True)
class Trace:
    """A run of the student's function `name` on tracers."""

    name: str
    file: str
    line: int
    nested: bool
    caller: int | None
    signature: dict[str, tuple]  # what each argument leaf and closed-over variable was


@dataclass(frozen=True)
class Compilation:
    """One program that reached the compiler; name, file and `def_line` are the function's."""

    call: int
    own: bool  # the student's program, rather than a library's
    name: str
    operation: str  # what JAX calls the program: `scan` for a scan outside jit
    file: str
    def_line: int | None
    line: int | None  # of the student's that was running; None when the call came from elsewhere
    trace: Trace | None  # None when an earlier trace was compiled anew
    transformed: bool  # by grad or vmap, outside jit
    options: dict[str, str]  # those of JAX that are part of the cache key
    clears: int  # how often JAX's caches had been cleared
    jitted: object  # the function that jit was given; None if unknown
    program: object  # its jaxpr; None if unknown
    key: JitKey | None  # None where Python's jit was not called
    handed: tuple[FunctionType, ...]  # functions of the student's given to a loop outside of jit
    by_hand: bool  # by the student's own call of `.compile()`

    @property
    def function(self) -> tuple:
        """What tells the function from others: its place, and the settings that it closes over.

        A `lambda` or `def` inside a function is another function for each of these.
        """
        signature = self.trace.signature if self.trace is not None else {}
        fixed = [
            (name, leaf)
            for name, leaf in signature.items()
            if name.endswith("(closed over)") and leaf[0] == "static"
        ]
        return (self.name, self.file, self.def_line, *fixed)


class _Thread(threading.local):
    """What one thread has traced and lowered since it last compiled a program of the student's."""

    def __init__(self) -> None:
        self.traces: list[Trace] = []
        self.lowered: dict[str, object] = {}


class Watch:
    """Context manager that collects `compilations`; `call` is the number of the current call.

    Args:
        namespace: of the module whose code is the student's.
        files: those that hold the student's code.
        frame_files: of these, the files whose code nobody else has.
        made: names of library functions that the student jits.
    """

    def __init__(
        self, namespace: dict[str, Any], files: Files, frame_files: Files, made: Iterable[str] = ()
    ) -> None:
        self.namespace = namespace
        self.files = files
        self.frame_files = frame_files
        self.made = set(made)
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
        self.hook = self._make_hook()

    @classmethod
    def of(cls, function: object, module: ModuleType) -> Watch:
        """Watch the code of a student's module."""
        files = student_files(module)
        made = ownership.library_jits(function, module)
        return cls(vars(module), files, files - _SHARED_NAMES, made)

    def is_student(self, frame: FrameType) -> bool:
        """Check whether a frame runs the student's code."""
        return frame.f_globals is self.namespace or frame.f_code.co_filename in self.frame_files

    def is_outside(self, frame: FrameType) -> bool:
        """Check whether a frame is the student's, or the kit's call of the student's function.

        What called the kit, such as the line of `check(...)`, has compiled nothing.
        """
        return frame.f_code is called.__code__ or self.is_student(frame)

    def student_line(self, frame: FrameType | None) -> int | None:
        """Return the innermost line of the student's, at or above `frame`, that the kit called."""
        while frame is not None and not self.is_outside(frame):
            frame = frame.f_back
        return Line.of(frame) if frame is not None and self.is_student(frame) else None

    def is_student_function(self, function: FunctionType) -> bool:
        """Check whether a function is the student's."""
        return function.__globals__ is self.namespace or function.__code__.co_filename in self.files

    def _make_hook(self) -> Callable[[FrameType, str, object], None]:
        """Return the profile hook. It runs at every call of a function, so it must be quick."""
        namespace, frame_files = self.namespace, self.frame_files
        quiet = quiet_modules(_WATCHED_FILES, standard=True)

        def hook(frame: FrameType, event: str, arg: object) -> None:
            if event == "call":
                names = frame.f_globals
                try:
                    if names is not namespace and names.get("__name__") in quiet:
                        return
                except TypeError:  # a name that the student's code has made up
                    pass
                code = frame.f_code
                if names is namespace or code.co_filename in frame_files:
                    self._student_call(frame)
                elif code.co_filename in _WATCHED_FILES:
                    self._jax_call(frame, code)
            elif event == "c_call" and arg in _THREAD_STARTERS:
                self.threads = True

        return hook

    def _jax_call(self, frame: FrameType, code: CodeType) -> None:
        """Note a call inside JAX, if it is one of those to watch."""
        if code is _COMPILE:
            self.compiles_entered += 1
        elif code is _JIT:
            caller = frame.f_back
            while caller is not None and caller.f_code.co_filename.endswith("traceback_util.py"):
                caller = caller.f_back  # JAX wraps its public functions
            if caller is not None and self.is_student(caller):
                name = getattr(frame.f_locals.get("fun"), "__name__", "")
                self.made |= {name} if name else set()
        elif code is _CLEAR:
            self.clears += 1
        elif code is _AHEAD:
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
            frames = ownership.frames_below(sys._getframe(1), self.is_outside)
            self._thread.lowered[str(kwargs.get("fun_name"))] = ownership.program_in(frames)
        elif event == jax_access.COMPILE_EVENT:
            self._add_compilation(sys._getframe(1), str(kwargs.get("fun_name")))

    def _add_compilation(self, frame: FrameType, fun_name: str) -> None:
        state = self._thread
        lowered = state.lowered.pop(fun_name, None)
        frames = list(ownership.frames_below(frame, self.is_outside))
        program = ownership.program_in(frames) or lowered
        name, file, line = source_of(program)
        key = key_of(frames)
        if program is None:
            own = ownership.is_compiled_by_hand(frames)
            name = fun_name.removeprefix("jit(").removesuffix(")")
        else:
            everything = ownership.frames_below(frame, lambda _: False)
            stack = [f.f_code.co_filename for f in everything] if state.traces else []
            own = ownership.is_own(program, self.files, self.made, stack)
        by_hand = ownership.is_compiled_by_hand(frames)
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
                transformed=ownership.is_transformed(frames),
                options=jax_access.options(),
                clears=self.clears,
                jitted=key.function if key is not None else None,
                program=program,
                key=key,
                handed=handed_functions(frames, operation, self.is_student_function),
                by_hand=by_hand,
            )
        )

    def is_listening(self) -> bool:
        """Check whether events still reach this watch."""
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
