"""`check("name")`: the check cell of a notebook. The kernel is the worker."""

from __future__ import annotations

import dis
import inspect
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import jax

from autograder.criteria.speed.decision import tell_how_to_time
from autograder.criteria.speed.here import time_here
from autograder.grading.apart import shared_reader
from autograder.grading.pipeline import grade_attempts, grade_or_refuse
from autograder.grading.plan import plan_attempts
from autograder.grading.run import Worker
from autograder.judge.client import shared_judge
from autograder.learner.again import attempt_again
from autograder.learner.cell_runs import describe_runs, source_up_to, sources_run, watch_cells
from autograder.learner.predicting import describe_predictions
from autograder.learner.sentences import CAUSES_LATER, RAN_WITH_DEVICES
from autograder.lessons.course import the_course
from autograder.model.exercise import Exercise, Predictions, ProgramExercise, RubricError
from autograder.model.failed_cells import failed_cells
from autograder.model.graded import Graded
from autograder.model.kit_fault import CannotJudge
from autograder.model.notebook import Cell, Notebook
from autograder.model.observation import Observation
from autograder.model.rubric import Rubric
from autograder.model.rubric_files import find_exercise
from autograder.model.student_code import quiet
from autograder.model.terms import Terms
from autograder.programs.jax_private import compiling_quickly
from autograder.render.score import Score
from autograder.sandbox import NOT_READ, Attempt, Calls, Processes, shared_workers
from autograder.sandbox.exercise_observation import observe

if watch_cells():  # while the notebook is read, the processes that its checks need get ready
    with suppress(OSError, CannotJudge):  # the check says what is wrong
        shared_judge().launch()
        shared_reader().launch()

_passed: dict[str, tuple[Any, ...]] = {}
"""By exercise, the functions and classes that passed its last check."""


def is_as_checked(exercise: Exercise, namespace: dict[str, Any]) -> bool:
    """Return whether the last check of an exercise passed, and was about what is there now."""
    known, now = _passed.get(exercise.name), _entry_points(exercise, namespace)
    return known is not None and all(a is b for a, b in zip(known, now, strict=True))


def _entry_points(exercise: Exercise, namespace: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(namespace.get(name) for name in exercise.entry_points)


_tried: dict[str, set[tuple[str, ...]]] = {}
"""By exercise, the sources of what was checked."""


def _count_tries(exercise: Exercise, namespace: dict[str, Any]) -> int:
    """Return how many different programs of an exercise were checked, with this one."""
    sources = tuple(map(_source_of, _entry_points(exercise, namespace)))
    tried = _tried.setdefault(exercise.name, set())
    tried.add(sources)
    return len(tried)


def _source_of(value: Any) -> str:
    try:
        return inspect.getsource(inspect.unwrap(value))
    except (OSError, TypeError, ValueError):  # no function, or of no cell
        return repr(type(value))


def find_module(namespace: dict[str, Any]) -> ModuleType:
    """Return the module of a caller's globals."""
    module = sys.modules.get(namespace.get("__name__", ""))
    if module is None or vars(module) is not namespace:
        raise RuntimeError(
            "The kit looks for your functions in the module it is called from, and found none. "
            "Call it at the top level of a notebook cell or of a script."
        )
    return module


def check(
    exercise: str, criterion: str | None = None, *, rubric: str | Path | None = None
) -> Score:
    """Check the caller's functions against an exercise and return the score.

    Args:
        exercise: the exercise's name, such as ``"static_branch"``.
        criterion: show and count this one only; all by default. ``"speed"`` times the program: it
            gives a verdict where JAX finds a GPU, and information elsewhere.
        rubric: lesson name or file of your own rubric (``"my_rubric.py"``). By default, the lesson
            folders that the environment names are searched, then the files ``NAME.check.json``
            beside the notebook, then the kit's lessons.

    Returns:
        The points earned, as a float that shows itself as a card in a notebook and prints as text
        (``print(check(...))``). Judged on the public inputs, hence provisional.

    Raises:
        RubricError: there is no such exercise, or it is not judged by `criterion`.
    """
    caller = sys._getframe(1)
    module = find_module(caller.f_globals)
    found, asked = find_exercise(exercise, rubric)
    if criterion is not None and criterion not in asked.points:
        raise RubricError(
            f"exercise {exercise!r} has no criterion {criterion!r}; it has {list(asked.points)}"
        )
    timed = criterion == "speed"  # it takes a while, so it is not done by default
    only = found.only([exercise])
    # Counting devices starts JAX's backend.
    again = asked.devices > 1 and asked.devices > jax.device_count()
    if again:
        worker, attempt = Processes(workers=shared_workers(), second=False), attempt_again(asked)
    else:
        worker, attempt = Kernel(module, timed), Attempt((), (exercise,), NOT_READ)
    planned = None if isinstance(asked, Predictions) else plan_kernel(module, only, caller)
    if planned is not None:  # what its source proves, with the files beside what runs
        attempt = replace(planned, beside=attempt.beside)
    grade = partial(_grade, found, asked, attempt, worker, timed)
    graded = grade_or_refuse(grade, Terms(only, shared_judge()))
    (report,) = graded.reports
    if not timed and "speed" in asked.points:
        report = tell_how_to_time(report, f'`check("{exercise}", "speed")`')
    if criterion is None:
        _passed.pop(exercise, None)
        if report.has_passed:
            _passed[exercise] = _entry_points(asked, vars(module))
    notes = describe_runs(vars(module), asked.entry_points)
    if again:
        where = RAN_WITH_DEVICES.format(devices=asked.devices, found=jax.device_count())
        notes = [where, *notes]
    report = report.with_notes(notes)
    if not found.practice:
        report = report.with_notes(describe_predictions())
    if _count_tries(asked, vars(module)) <= found.tries and not report.has_passed:
        report = report.without_causes().with_notes([CAUSES_LATER.format(tries=found.tries)])
    score = Score(report if criterion is None else report.only(criterion))
    if hasattr(module, "__file__") and _is_dropped(caller):
        print(score)
    return score


@dataclass(frozen=True)
class Kernel:
    """The worker of a notebook: the process that the student's cells have run in."""

    module: ModuleType
    timed: bool

    def observe(self, attempt: Attempt, calls: Calls) -> Mapping[str, Observation]:
        """Observe what is there; nothing is run again."""
        found = {}
        for drawn, some in calls.items():
            proved = attempt.proved(drawn)
            # nbgrader gives 0 to a cell that writes to stderr
            with quiet(), compiling_quickly():
                found[drawn.name] = observe(
                    drawn, self.module, some, programs_only=self.timed, proved=proved
                )
        return found


def _grade(
    rubric: Rubric, asked: Exercise, attempt: Attempt, worker: Worker, timed: bool
) -> Graded:
    if isinstance(asked, ProgramExercise) and asked.needs_reference_solution:
        rubric = _with_solutions(rubric)
    only = rubric.only([asked.name])
    terms = Terms(only, shared_judge(), timed=timed, with_figures=not timed)
    graded = grade_attempts([attempt], terms, worker)
    if not timed:
        return graded
    exercise, program = rubric.exercise(asked.name), graded.programs.get(asked.name)
    return replace(graded, reports=(time_here(graded.reports[0], rubric, exercise, program),))


def plan_kernel(module: ModuleType, rubric: Rubric, caller: FrameType) -> Attempt | None:
    """Return what the source proves of an exercise; None where it does not tell what is there.

    The source is the cells that ran, or a script, up to the call of `check`. Where a cell that is
    needed failed, jit is disabled, or a function calls `check`, something else is there than the
    source says.

    Args:
        module: the student's.
        rubric: with the one exercise that is checked.
        caller: the frame that called `check`.
    """
    file, line = getattr(module, "__file__", None), caller.f_lineno
    is_at_top = caller.f_locals is caller.f_globals
    if jax.config.jax_disable_jit or not is_at_top:  # type: ignore[attr-defined]
        return None
    try:
        if file is None:
            sources = sources_run(line)
        elif caller.f_code.co_filename != file:
            return None
        else:
            sources = [source_up_to(Path(file).read_text(encoding="utf-8"), line)]
        cells = tuple(Cell(f"cell-{i}", source, "") for i, source in enumerate(sources))
        notebook = Notebook(rubric.lesson, cells)
        (planned,) = plan_attempts(notebook, rubric) if cells else (None,)
    except (OSError, UnicodeDecodeError):
        return None
    failed = {cell.source for cell in failed_cells()}
    if planned and planned.is_proved and any(cell.source in failed for cell in planned.cells):
        return None
    return planned and replace(planned, fallback=())  # a kernel cannot run other cells


def _is_dropped(caller: FrameType) -> bool:
    """Return whether a script calls a function and does nothing with what it returns."""
    after = (i for i in dis.get_instructions(caller.f_code) if i.offset > caller.f_lasti)
    return next((i.opname for i in after if i.opname != "CACHE"), "") == "POP_TOP"


def _with_solutions(rubric: Rubric) -> Rubric:
    """Return a rubric with the lesson's own solutions, if its lesson is known here."""
    course = the_course()
    if rubric.lesson not in course.names():
        return rubric
    known = course.rubric(rubric.lesson)
    return known if known.source == rubric.source else rubric
