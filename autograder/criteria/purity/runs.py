"""Calls a student's function once: as it is, without jit, or traced.

Every run takes fresh arguments and records what changed: arguments, reachable state, random
states, text on the screen. `Bench.restore` restores the state from before the check.
"""

from __future__ import annotations

import contextlib
import io
import itertools
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import jax
import numpy as np

from autograder.core import jax_access
from autograder.core.jax_internals import brief_leak_reports, passing_checks, unnumbered_checks
from autograder.core.kit_fault import is_kits
from autograder.core.student_code import called, is_interruption
from autograder.criteria.purity import process_state, state, walk
from autograder.criteria.purity.probes import Hits, TooLongError, Tripwires, audit
from autograder.criteria.purity.student import StudentModule
from autograder.criteria.purity.traces import TracedProgram
from autograder.criteria.purity.values import (
    Token,
    is_array,
    is_close,
    is_numeric,
    is_tracer,
    to_numpy,
)

Mode = Literal["plain", "retraced", "nojit", "trace", "leaks"]
"""Retraced: plain, but the student's own jitted functions are traced anew."""

EAGER_OPERATIONS = 1000
"""The number of operations after which a run without jit is ended."""

_NUMBERS = (bool, int, float, complex)
_counter = itertools.count()
# The user context is part of every trace cache's key. In a new one, all of the student's functions
# are traced anew, and programs compiled for eager code stay cached.
_fresh_context = jax.make_user_context(None) if hasattr(jax, "make_user_context") else None


class _Screen(io.StringIO):
    """Replaces stdout and stderr. The type tells it apart from a student's own buffer."""


@contextlib.contextmanager
def _fresh_traces() -> Iterator[None]:
    if _fresh_context is None:
        jax_access.clear_caches()
        yield
    else:
        with _fresh_context(("autograder", next(_counter))):
            yield


@contextlib.contextmanager
def capture_screen() -> Iterator[io.StringIO]:
    """Catch what is printed. Warnings are dropped; their filters stay as they are."""
    screen = _Screen()
    before = sys.stdout, sys.stderr, warnings.showwarning
    sys.stdout = sys.stderr = screen
    warnings.showwarning = lambda *args, **kwargs: None
    try:
        yield screen
    finally:
        sys.stdout, sys.stderr, warnings.showwarning = before


@dataclass
class CallResult:
    """Holds the leaves that a call returned: arrays as numbers, everything else as tokens."""

    leaves: list[np.ndarray | Token]
    structure: str


@dataclass
class Run:
    """Holds what one call in one mode returned, raised and changed."""

    mode: Mode
    result: CallResult | None = None
    error: BaseException | None = None
    program: TracedProgram | None = None
    arguments: list[state.Change] = field(default_factory=list)
    argument_objects: tuple = ()
    changed: list[state.Change] = field(default_factory=list)
    after: state.Snapshot = field(default_factory=state.Snapshot)
    drawn: list[str] = field(default_factory=list)
    screen: str = ""
    inputs: list[Any] = field(default_factory=list)
    tampered: bool = False
    unfinished: bool = False


@dataclass
class Bench:
    """Calls a student's function; `start` is the state at the beginning of the check."""

    student: StudentModule
    function: Callable
    make_args: Callable[[], tuple]
    canonical: bool = False
    """Whether dicts are given in the order of their keys, as jit gives them."""
    keeps_traces: bool = False
    """Whether jitted functions keep what they have traced, from one run to the next."""

    def __post_init__(self) -> None:
        self.hits = Hits(self.student)
        self.start = self.snapshot(saving=True)
        self._keep: list[object] = []  # no id may be used again within one check

    def restore(self) -> None:
        self.start.restore()

    def snapshot(self, saving: bool = False, only: str | None = None) -> state.Snapshot:
        return walk.snapshot(self.student, self.function, saving, only)

    @contextlib.contextmanager
    def in_one_process(self) -> Iterator[None]:
        """Begin with nothing traced, and let the runs that follow keep what is traced."""
        with _fresh_traces():
            self.keeps_traces = True
            try:
                yield
            finally:
                self.keeps_traces = False

    def _traces(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext() if self.keeps_traces else _fresh_traces()

    def arguments(self) -> tuple:
        args = tuple(self.make_args())
        if self.canonical:
            args = jax_access.unflatten(*reversed(jax_access.flatten(args)))
        self._keep.append(args)
        arrays = [leaf for leaf in jax_access.flatten(args)[0] if is_array(leaf)]
        jax_access.block_until_ready(arrays)
        return args

    def attempt(self, mode: Mode, args: tuple, run: Run, watcher: Tripwires | None = None) -> None:
        """Call the function and record its error; raise only errors of the kit's own."""
        try:
            with watcher or contextlib.nullcontext():
                self._call(mode, args, run)
        except TooLongError:
            pass
        except BaseException as error:
            module, files = self.student.module, self.student.files
            if is_interruption(error) or is_kits(error, module, files):
                raise
            run.error = error.with_traceback(None)

    def _call(self, mode: Mode, args: tuple, run: Run) -> None:
        """Call the function in one mode; its result or program goes into `run`."""
        if mode in ("plain", "retraced"):
            with self._traces() if mode == "retraced" else contextlib.nullcontext():
                run.result = self.result(called(self.function, *args))
        elif mode == "nojit":
            with jax_access.disable_jit():
                run.result = self.result(called(self.function, *args))
        else:
            leaves, structure = jax_access.flatten(args)
            at = [i for i, leaf in enumerate(leaves) if is_numeric(leaf)]
            run.inputs = [leaves[i] for i in at]

            def flat(arrays: list[Any]) -> list[Any]:
                given = dict(zip(at, arrays, strict=True))
                filled = [given.get(i, leaf) for i, leaf in enumerate(leaves)]
                args = jax_access.unflatten(structure, filled)
                with passing_checks():
                    results = jax_access.flatten(called(self.function, *args))[0]
                return [x for x in results if _is_traceable(x)]

            checking = jax_access.checking_leaks() if mode == "leaks" else contextlib.nullcontext()
            with self._traces(), unnumbered_checks(), brief_leak_reports(), checking:
                run.program = TracedProgram(jax_access.jit(flat).trace(run.inputs).jaxpr)

    def result(self, out: Any) -> CallResult:
        leaves, structure = jax_access.flatten(out)
        jax_access.block_until_ready([leaf for leaf in leaves if is_array(leaf)])
        found: list[np.ndarray | Token] = []
        others: list[tuple[str, object]] = []
        for i, leaf in enumerate(leaves):
            if is_numeric(leaf):
                found.append(to_numpy(leaf).copy())
            elif type(leaf) in _NUMBERS:
                found.append(np.asarray(leaf))
            else:
                others.append((f"leaf {i}", leaf))
        tokens = walk.snapshot_values(self.student, others, "result").tokens
        found += [(k, *v) for k, v in tokens.items()]
        return CallResult(found, str(structure))

    def run(
        self,
        mode: Mode,
        watch: bool = False,
        before: state.Snapshot | None = None,
        operations: int | None = None,
        compare: bool = True,
    ) -> Run:
        """Call the function once, and compare the state with that of `before` (or the start).

        A watched run ends after `operations` operations of JAX. Nothing is compared where only the
        result or the program is asked for.
        """
        args = self.arguments()
        run = Run(mode, argument_objects=args)
        own = walk.snapshot_arguments(self.student, args) if compare else state.Snapshot()
        seed = next(_counter) % 2**31
        jax_access.py_seed(seed)
        jax_access.np_seed(seed)
        random_before = process_state.random_states()
        watcher = Tripwires(self.hits, operations) if watch else None
        with capture_screen() as screen, audit(self.hits):
            self.attempt(mode, args, run, watcher)
            with contextlib.suppress(Exception):
                jax_access.effects_barrier()
            if mode == "plain":
                jax_access.collect()  # finalizers of garbage in cycles belong to this call
        if watcher is not None:
            run.tampered, run.unfinished = watcher.tampered, watcher.expired
        run.screen = screen.getvalue()
        if not compare:
            return run
        after_random = process_state.random_states()
        run.drawn = [k for k, v in random_before.items() if after_random[k] != v]
        run.arguments = state.changes(own, walk.snapshot_arguments(self.student, args))
        run.after = self.snapshot()
        run.changed = state.changes(before or self.start, run.after)
        return run


def _is_traceable(leaf: object) -> bool:
    return is_tracer(leaf) or is_numeric(leaf) or type(leaf) in _NUMBERS


def is_same(a: CallResult, b: CallResult, exact: bool) -> bool:
    """Check whether two results agree: bit by bit, or up to rounding at the scale of each leaf."""
    if len(a.leaves) != len(b.leaves) or (exact and a.structure != b.structure):
        return False
    return all(_same_leaf(x, y, exact) for x, y in zip(a.leaves, b.leaves, strict=True))


def _same_leaf(x: np.ndarray | Token, y: np.ndarray | Token, exact: bool) -> bool:
    if isinstance(x, tuple) or isinstance(y, tuple):
        return isinstance(x, tuple) and isinstance(y, tuple) and x == y
    if x.shape != y.shape:
        return False
    if exact:
        return x.dtype == y.dtype and x.tobytes() == y.tobytes()
    if x.dtype.kind not in "biufc" or y.dtype.kind not in "biufc":
        try:
            x, y = x.astype(np.float64), y.astype(np.float64)  # bfloat16 and similar
        except (TypeError, ValueError):
            return x.tobytes() == y.tobytes()
    if x.dtype.kind in "biu" and y.dtype.kind in "biu":
        return bool((x == y).all())
    return is_close(y, x, rtol=1e-2, atol=2e-3, floor=1e-6)
