"""Makes experiments: an experiment is one call of a student's function, in one mode.

Every call takes fresh arguments. Its record holds what it returned, raised or traced, which watched
calls it made, and what differs in all that it can reach: its arguments, the student's state, the
process. `Lab.restore` restores the state from before the check.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import operator
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal
from unittest.mock import patch

import jax
import numpy as np

from autograder.criteria.purity import walk
from autograder.criteria.purity.probes import Calls, TooLongError, audit, profile
from autograder.criteria.purity.process import Process
from autograder.criteria.purity.programs import TracedProgram
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.values import (
    NUMBERS,
    Token,
    is_array,
    is_close,
    is_floating,
    is_numeric,
    is_tracer,
    to_numpy,
)
from autograder.model.kit_fault import is_kits
from autograder.model.student_code import called, is_interruption, unwrap
from autograder.programs import jax_access
from autograder.programs.jax_private import passing_checks, unnumbered_checks

MakeArgs = Callable[[], tuple]
Mode = Literal["plain", "retraced", "nojit", "trace"]
"""Retraced: plain, but the student's own jitted functions are traced anew. Without jit: these are
plain Python; JAX's own are not, since each of their operations would be compiled by itself."""

_MOST_OPERATIONS = 1000
"""The number of operations after which an experiment that may be long is ended."""

_MANY, _NUDGE = 1000, 1 + 2.0**-8
_counter = itertools.count()
# The user context is part of every trace cache's key. In a new one, all of the student's functions
# are traced anew, and programs compiled for eager code stay cached.
_fresh_context = jax.make_user_context(None)


class _Screen(io.StringIO):
    """Replaces stdout and stderr. The type tells it apart from a student's own buffer."""


def _fresh_traces() -> contextlib.AbstractContextManager[object]:
    return _fresh_context(("autograder", next(_counter)))


@contextlib.contextmanager
def _capture_screen() -> Iterator[io.StringIO]:
    """Catch what is printed. Warnings are dropped; their filters stay as they are.

    A stream that the student's code has put in the place of the screen stays, and is seen.
    """
    screen, before = _Screen(), {name: getattr(sys, name) for name in ("stdout", "stderr")}
    sys.stdout = sys.stderr = screen
    try:
        with patch.object(warnings, "showwarning", lambda *args, **kwargs: None):
            yield screen
    finally:
        for name, stream in before.items():
            if getattr(sys, name) is screen:
                setattr(sys, name, stream)


@dataclass
class Result:
    """Holds the leaves that a call returned: arrays as numbers, everything else as tokens."""

    leaves: list[np.ndarray | Token]
    structure: str

    def arrays(self) -> list[np.ndarray | Token]:
        """Return the leaves that are arrays, or stand for one."""
        return [leaf for leaf in self.leaves if not isinstance(leaf, tuple)]

    def has_nan(self) -> bool:
        """Return whether an array of floats holds a NaN."""
        floats = (x for x in self.leaves if isinstance(x, np.ndarray) and x.dtype.kind == "f")
        return any(bool(np.isnan(leaf).any()) for leaf in floats)


@dataclass
class Experiment:
    """Holds what one experiment returned, raised, traced, called and changed."""

    mode: Mode
    make_args: MakeArgs
    args: tuple
    calls: Calls
    result: Result | None = None
    error: BaseException | None = None
    program: TracedProgram | None = None
    inputs: list[Any] = field(default_factory=list)
    changes: list[walk.Change] = field(default_factory=list)
    after: walk.Snapshot = field(default_factory=walk.Snapshot)
    screen: str = ""
    unfinished: bool = False


class Lab:
    """Makes experiments with a student's function; `start` is the state before the check."""

    def __init__(self, student: StudentModule, function: Callable, make_args: MakeArgs) -> None:
        self.student, self.function, self.make_args = student, function, make_args
        self.process = Process(student)
        self.start = self.snapshot(saving=True)
        self.restore = self.start.restore
        self.jitted = list(self._find_jitted())
        self.codes: dict[Any, None] = {}
        self._one_process = False
        self._keep: list[object] = []  # no id may be used again within one check

    def _find_jitted(self) -> Iterator[tuple[Any, Any, Callable]]:
        """Yield where the state holds own jitted functions, and the functions inside them."""
        for home, key, value in self.start.homes.values():
            if issubclass(type(value), jax_access.Jitted):
                code = getattr(unwrap(value), "__code__", None)
                if code is not None and self.student.owns_code(code):
                    yield home, key, value.__wrapped__

    def snapshot(self, saving: bool = False, only: str | None = None) -> walk.Snapshot:
        """Return the state that the function can reach, as it is now."""
        shot = walk.snapshot(self.student, self.function, saving, only)
        self.process.read_into(shot, saving, only)
        return shot

    @contextlib.contextmanager
    def in_one_process(self) -> Iterator[None]:
        """Begin with nothing traced, and let the calls that follow keep what is traced."""
        self.restore()
        with _fresh_traces():
            self._one_process = True
            try:
                yield
            finally:
                self._one_process = False
                self.restore()

    def run(
        self,
        mode: Mode,
        make_args: MakeArgs | None = None,
        *,
        follows: Experiment | None = None,
        watch: bool = False,
        made_up: bool = False,
    ) -> Experiment:
        """Make one experiment.

        Args:
            mode: how the function is called.
            make_args: makes the arguments; those of the first call by default.
            follows: the experiment that this one follows without a restore.
            watch: whether to watch calls, and to note which code runs.
            made_up: whether nobody asked for this call: it ends where it would touch the system.
        """
        if follows is None:
            self.restore()
        start = follows.after if follows is not None else self.start
        if mode == "nojit":
            for home, key, inner in self.jitted:
                walk.put(home, key, inner)
            start = self.snapshot()
        record = self.prepare(mode, make_args or self.make_args, made_up)
        args = record.args
        given = walk.snapshot_arguments(self.student, args)
        most = _MOST_OPERATIONS if made_up or mode == "nojit" else None
        watching = profile(record.calls, most) if watch else contextlib.nullcontext()
        with _capture_screen() as screen, audit(record.calls):
            self.attempt(record, watching)
            with contextlib.suppress(Exception):
                jax_access.effects_barrier()
            if mode == "plain":
                jax_access.collect()  # finalizers of garbage in cycles belong to this call
        record.screen = screen.getvalue()
        self.codes |= record.calls.codes
        record.changes += walk.changes(given, walk.snapshot_arguments(self.student, args))
        record.after = self.snapshot()
        record.changes += walk.changes(start, record.after)
        return record

    def prepare(self, mode: Mode, make_args: MakeArgs, made_up: bool = False) -> Experiment:
        """Return the record of an experiment that is yet to be made."""
        args = make_args()
        self._keep.append(args)
        jax_access.block_until_ready(args)
        return Experiment(mode, make_args, args, Calls(self.student, made_up))

    def attempt(self, record: Experiment, watching: contextlib.AbstractContextManager) -> None:
        """Call the function and record its error; raise only errors of the kit's own."""
        try:
            with watching:
                self._call(record)
        except TooLongError:
            record.unfinished = True
        except BaseException as error:
            if is_interruption(error) or is_kits(error, self.student.module, self.student.files):
                raise
            record.error = error.with_traceback(None)

    def _call(self, record: Experiment) -> None:
        args, function = record.args, self.function
        fresh = _fresh_traces if not self._one_process else contextlib.nullcontext
        if record.mode == "nojit" and type(function) is jax_access.Jitted:
            function = function.__wrapped__  # type: ignore[attr-defined]
        if record.mode != "trace":
            with fresh() if record.mode == "retraced" else contextlib.nullcontext():
                record.result = self.result(called(function, *args))
            return
        leaves, structure = jax_access.flatten(args)
        at = [i for i, x in enumerate(leaves) if is_numeric(x) or type(x) is jax.ShapeDtypeStruct]
        record.inputs = [leaves[i] for i in at]

        def flat(arrays: list[Any]) -> list[Any]:
            given = dict(zip(at, arrays, strict=True))
            filled = [given.get(i, leaf) for i, leaf in enumerate(leaves)]
            record.args = jax_access.unflatten(structure, filled)
            before = walk.snapshot_arguments(self.student, record.args)
            with passing_checks():
                results = jax_access.flatten(called(function, *record.args))[0]
            if record.calls.stops:  # else the arguments that jit rebuilds are nothing to its caller
                after = walk.snapshot_arguments(self.student, record.args)
                record.changes += walk.changes(before, after)
            return [x for x in results if is_tracer(x) or is_numeric(x) or type(x) in NUMBERS]

        with fresh(), unnumbered_checks():
            try:
                record.program = TracedProgram(jax_access.jit(flat).trace(record.inputs).jaxpr)
            finally:
                record.args = args  # and no longer the tracers

    def result(self, out: Any) -> Result:
        """Return what a call returned, as it is compared."""
        leaves, structure = jax_access.flatten(out)
        jax_access.block_until_ready([leaf for leaf in leaves if is_array(leaf)])
        found: list[np.ndarray | Token] = []
        others: list[tuple[str, object]] = []
        for i, leaf in enumerate(leaves):
            if is_numeric(leaf) or type(leaf) in NUMBERS:
                found.append(to_numpy(leaf).copy())
            else:
                others.append((f"leaf {i}", leaf))
        tokens = walk.snapshot_values(self.student, others, "result").tokens
        found += [(k, *v) for k, v in tokens.items()]
        return Result(found, str(structure))

    def run_program(self, traced: Experiment) -> Experiment:
        """Return what the program of a traced experiment computes, as a record of its own."""
        record = Experiment("trace", traced.make_args, traced.args, Calls(self.student))
        if traced.program is not None and type(self.function) is not jax_access.Jitted:
            # Operation by operation: an unrolled loop takes long to compile.
            with contextlib.suppress(Exception), _capture_screen():
                computed = jax_access.as_function(traced.program.closed)(*traced.inputs)
                record.result = self.result(computed)
        return record

    def follow(self, record: Experiment, trace: Callable[..., Any]) -> None:
        """Make an experiment with a trace function on the frames of the student's code."""

        def enter(frame: Any, event: str, arg: object) -> Any:
            return trace(frame, event, arg) if self.student.owns_frame(frame) else None

        before = jax_access.gettrace()
        with _capture_screen(), audit(record.calls):
            jax_access.settrace(enter)
            try:
                self.attempt(record, contextlib.nullcontext())
            finally:
                jax_access.settrace(before)


def is_same(a: Result, b: Result, exact: bool) -> bool:
    """Check whether two results agree: bit by bit, or up to rounding at the scale of each leaf."""
    if len(a.leaves) != len(b.leaves) or (exact and a.structure != b.structure):
        return False
    return all(_same_leaf(x, y, exact) for x, y in zip(a.leaves, b.leaves, strict=True))


def _same_leaf(x: np.ndarray | Token, y: np.ndarray | Token, exact: bool) -> bool:
    if isinstance(x, tuple) or isinstance(y, tuple):
        return isinstance(x, tuple) and isinstance(y, tuple) and x == y
    if exact or x.shape != y.shape:
        return (x.shape, x.dtype, x.tobytes()) == (y.shape, y.dtype, y.tobytes())
    if x.dtype.kind not in "biufc" or y.dtype.kind not in "biufc":
        try:
            x, y = x.astype(np.float64), y.astype(np.float64)  # bfloat16 and similar
        except (TypeError, ValueError):
            return x.tobytes() == y.tobytes()
    if x.dtype.kind in "biu" and y.dtype.kind in "biu":
        return bool((x == y).all())
    return is_close(y, x, rtol=1e-2, atol=2e-3, floor=1e-6)


# Arguments that no public call has


def _with_leaves(make_args: MakeArgs, change: Callable[[Any], Any]) -> MakeArgs | None:
    """Return what makes the same arguments with other leaves; None if none of them changes."""

    def make() -> tuple:
        leaves, structure = jax_access.flatten(make_args())
        return jax_access.unflatten(structure, list(map(change, leaves)))

    leaves = jax_access.flatten(make_args())[0]
    return None if all(change(leaf) is leaf for leaf in leaves) else make


def other_value(value: Any) -> Any:
    """Return a number, text or array that differs a little; what is something else stays."""
    if type(value) is bool:
        return not value
    if type(value) in (int, str):
        return value + type(value)(1)
    if type(value) is float:
        return value * _NUDGE or _NUDGE
    if type(value) is tuple:
        new = tuple(map(other_value, value))
        return value if all(map(operator.is_, new, value)) else new
    if not is_numeric(value):
        return value
    if is_floating(value):
        return value * value.dtype.type(_NUDGE) + value.dtype.type(_NUDGE - 1)
    if jax_access.issubdtype(value.dtype, jax_access.prng_key):
        data = jax_access.key_data(value) + 1
        return jax.random.wrap_key_data(data, impl=jax.random.key_impl(value))
    if value.dtype == bool:
        return ~value
    is_number = jax_access.issubdtype(value.dtype, np.number)
    return value + value.dtype.type(1) if is_number else value


def other_numbers(make_args: MakeArgs, whole: bool) -> MakeArgs | None:
    """Return what makes the same arguments with other numbers; None if there are none.

    Args:
        make_args: makes the arguments.
        whole: whether integers change, and not arrays. This is for calls that are only traced: a
            loop may run for another time.
    """

    def change(leaf: Any) -> Any:
        is_data = is_array(leaf) and is_floating(leaf)
        changes = type(leaf) is float or (type(leaf) is int if whole else is_data)
        return other_value(leaf) if changes else leaf

    return _with_leaves(make_args, change)


def other_shapes(make_args: MakeArgs) -> MakeArgs | None:
    """Return what makes arguments to trace with: arrays of one axis more, which is long."""

    def change(leaf: Any) -> Any:
        kinds = (np.floating, np.signedinteger)
        if not (is_numeric(leaf) and any(jax_access.issubdtype(leaf.dtype, k) for k in kinds)):
            return leaf  # a key is of one shape
        now = jax.eval_shape(lambda x: x, leaf)
        return jax.ShapeDtypeStruct((_MANY, *now.shape), now.dtype)

    return _with_leaves(make_args, change)


def other_flags(function: Callable, make_args: MakeArgs) -> MakeArgs | None:
    """Return what makes arguments with every flag changed, those that have a default included."""
    rest: list[Any] = []
    with contextlib.suppress(TypeError, ValueError):
        known = list(inspect.signature(function).parameters.values())[len(make_args()) :]
        named = itertools.takewhile(lambda p: p.kind is p.POSITIONAL_OR_KEYWORD, known)
        rest = [p.default for p in named]
    change = lambda leaf: other_value(leaf) if type(leaf) is bool else leaf
    return _with_leaves(lambda: (*make_args(), *rest), change)
