"""Checks a learner's notebook in any state, and once for each content."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from autograder.criteria.speed.decision import tell_how_to_time
from autograder.grading import readings
from autograder.grading.apart import OutOfLimits, read_apart, shared_reader
from autograder.grading.files_beside import find_beside
from autograder.grading.pipeline import grade_or_refuse, grade_submission, prepare
from autograder.grading.store import engine_digest
from autograder.judge.client import Judge, shared_judge
from autograder.learner import sentences
from autograder.learner.notebook_record import (
    Record,
    first_failing,
    one_at_a_time,
    read_record,
    write_record,
)
from autograder.lessons.authoring import build_exercise, notebook_text
from autograder.lessons.course import the_course
from autograder.model.graded import Graded
from autograder.model.notebook import Cell, cells_of
from autograder.model.reasons import meaning_of
from autograder.model.report import Report
from autograder.model.rubric import Rubric
from autograder.model.terms import Terms
from autograder.render.progress import Steps
from autograder.sandbox import Processes, shared_workers


def content_digest(raw: bytes, folder: Path | None = None) -> str:
    """Return the SHA-256 of a notebook's code; its outputs and layout do not count.

    Args:
        raw: the notebook's bytes.
        folder: where it lies. The files there that its code names count too.
    """
    try:
        cells = [cell for cell in json.loads(raw)["cells"] if cell["cell_type"] == "code"]
        code = [("".join(c["source"]), c["metadata"].get("nbgrader"), c.get("id")) for c in cells]
        beside = find_beside(folder, (source for source, *_ in code))
        raw = json.dumps(code).encode() + beside.digest.encode()
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass  # not a notebook: every byte counts
    return hashlib.sha256(raw).hexdigest()


def grader_digest(rubric: Rubric) -> str:
    """Return the SHA-256 of what grades: the rubric, the kit and the versions under it."""
    return hashlib.sha256(f"{rubric.digest} {engine_digest()}".encode()).hexdigest()


def up_to_date(path: Path, rubric: Rubric) -> Record | None:
    """Return what is remembered of a notebook, if it has not changed since it was checked."""
    record = read_record(path)
    try:
        content = content_digest(path.read_bytes(), path.parent)
    except OSError:
        return None
    fresh = record.content == content and record.grader == grader_digest(rubric)
    return record if fresh and record.reports and not _is_momentary(record) else None


def _is_momentary(record: Record) -> bool:
    """Return whether time or memory ran out, or the kit failed: the next check may pass."""
    rules = {f.rule for r in record.reports for c in r.criteria for f in c.findings}
    return "run-timeout" in rules or any(meaning_of(rule).may_pass_again for rule in rules)


def is_untouched(path: Path, rubric: Rubric) -> bool:
    """Return whether a notebook is still the starter, which needs no check."""
    lesson = the_course().lesson(rubric.lesson)
    if lesson is None or read_record(path).content:
        return False
    starter = notebook_text(build_exercise(lesson)).encode()
    return content_digest(path.read_bytes()) == content_digest(starter)


def check_notebook(
    path: Path, rubric: Rubric, judge: Judge | None = None, steps: Steps | None = None
) -> Record:
    """Check a notebook, unless it is what was checked before, and remember the result.

    Args:
        path: the learner's notebook.
        rubric: of its lesson.
        judge: runs the programs; by default this process's own.
        steps: shows which exercise is checked: one after the other, until one does not pass. So
            what to do first is known long before all of it is checked.

    Returns:
        The reports, and what was remembered before. Those up to an exercise that does not pass
        are not remembered.

    Raises:
        autograder.model.exercise.RubricError: the rubric is at fault.
    """
    with one_at_a_time(path):
        known = up_to_date(path, rubric)  # another process may have been faster
        if known is not None:
            return known
        try:
            raw = path.read_bytes()
        except OSError:
            raw = b""
        judge = judge or shared_judge()
        if steps is None:
            graded = _grade(path, raw, rubric, judge)
            return _remember(path, raw, rubric, graded.reports, graded.programs)
        reports: list[Report] = []
        programs: dict[str, bytes] = {}
        steps.expect(steps.done + len(rubric.exercises))
        for exercise in rubric.exercises:
            steps.begin(sentences.CHECKING.format(notebook=path.name, exercise=exercise.name))
            graded = _grade(path, raw, rubric.only([exercise.name]), judge)
            steps.finish()
            reports += graded.reports
            programs |= graded.programs
            if first_failing(graded.reports):
                return replace(read_record(path), reports=tuple(reports))
        return _remember(path, raw, rubric, reports, programs)


def _remember(
    path: Path, raw: bytes, rubric: Rubric, reports: Sequence[Report], programs: Mapping[str, bytes]
) -> Record:
    how = sentences.SPEED_COMMAND.format(lesson=rubric.lesson)
    record = replace(
        read_record(path),
        content=content_digest(raw, path.parent),
        grader=grader_digest(rubric),
        reports=tuple(tell_how_to_time(report, how) for report in reports),
        programs=programs,
    ).dated()
    if record.is_readable:  # what was reached stays, where a file is saved halfway
        write_record(path, record)
    return record


def check_drills(path: Path, drills: Rubric) -> tuple[Report, ...]:
    """Check the drills of a notebook; the result is not remembered.

    Raises:
        autograder.model.exercise.RubricError: their rubric is at fault.
    """
    return _grade(path, path.read_bytes(), drills, shared_judge()).reports


def _grade(path: Path, raw: bytes, rubric: Rubric, judge: Judge) -> Graded:
    terms = Terms(rubric, judge)
    return grade_or_refuse(partial(_grade_content, path, raw, terms), terms)


def _grade_content(path: Path, raw: bytes, terms: Terms) -> Graded:
    rubric, worker = terms.rubric, Processes(workers=shared_workers())
    shared_reader().launch()
    shared_workers().launch()
    terms.judge.launch(rubric.devices)  # they get ready while the notebook is read
    lesson = the_course().lesson(rubric.lesson)
    released = None if lesson is None else build_exercise(lesson)
    repaired = prepare(raw, path.name, released, shown=False, folder=path.parent)
    if repaired.unreadable:
        how = sentences.RESET_HELPS.format(lesson=rubric.lesson)
        repaired = replace(repaired, unreadable=f"{repaired.unreadable} {how}")
        return grade_submission(repaired, path.name, terms)
    notes = _kernel_notes(raw)
    notes += _below_the_check(cells_of(repaired.notebook), rubric)
    if repaired.notes:
        notes.append(sentences.CELLS_OUT_OF_ORDER.format(lesson=rubric.lesson))
    graded = grade_submission(repaired, path.name, terms, worker)
    return replace(graded, reports=tuple(report.with_notes(notes) for report in graded.reports))


def _below_the_check(cells: Sequence[Cell], rubric: Rubric) -> list[str]:
    """Return a warning for each entry point that is defined below its check cell."""
    order = [cell.id for cell in cells]
    notes = []
    for exercise in rubric.exercises:
        if exercise.name not in order:
            continue
        below = [c for c in cells[order.index(exercise.name) :] if c.role != "check"]
        defined = _defined_names(below)
        names = [name for name in exercise.entry_points if name in defined]
        notes += [sentences.BELOW_THE_CHECK.format(name=name) for name in names]
    return notes


def _defined_names(cells: Sequence[Cell]) -> set[str]:
    try:
        found = read_apart(readings.definitions, [cell.source for cell in cells])
    except OutOfLimits:
        return set()
    return set().union(*found)


def _kernel_notes(raw: bytes) -> list[str]:
    """Return warnings about the kernel that a notebook was saved with."""
    try:
        metadata: Any = json.loads(raw)["metadata"]
        info, spec = metadata.get("language_info", {}), metadata.get("kernelspec", {})
        language = str(info.get("name") or spec.get("language") or "python")
        version = str(info.get("version") or "")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return []
    if language.lower() not in ("python", "ipython"):
        return [sentences.OTHER_LANGUAGE.format(language=language[:40])]
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    if version and version.split(".")[:2] != here.split("."):
        return [sentences.OTHER_PYTHON.format(there=version[:20], here=here)]
    return []
