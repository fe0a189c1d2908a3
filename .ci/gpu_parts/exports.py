"""The right submissions of the timed lessons as programs in a bundle, compiled for the device."""

from __future__ import annotations

import multiprocessing
import os
import tempfile
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import jax
from findings import Findings

from autograder.criteria.speed.bundle import BundleWriter, read_bundle
from autograder.criteria.speed.speed_process import compile_ahead
from autograder.criteria.speed.standards import add_to_bundle, prepare_standards
from autograder.grading.run import calls_to_export
from autograder.lessons.course import find_course
from autograder.lessons.solutions import lesson_cells
from autograder.lessons.verification.in_process import as_notebook
from autograder.lessons.verification.submissions import find_submissions
from autograder.model.exercise import ProgramExercise
from autograder.model.rubric import Rubric
from autograder.programs.exported import export_program
from autograder.programs.reference import TRUSTED_SECONDS
from autograder.sandbox.cells import run_cells

KEYS = (5, 6)
"""Of the draws that programs are timed with."""
COMPILE_SECONDS = 60.0
"""After which a process that compiles one program is killed."""


class Timed(NamedTuple):
    """An exercise with points for speed."""

    rubric: Rubric
    exercise: ProgramExercise


class Job(NamedTuple):
    """A right submission of such an exercise."""

    timed: Timed
    file: str
    source: str


def find_jobs() -> list[Job]:
    course = find_course()
    return [
        Job(Timed(rubric, exercise), one.name, one.source)
        for rubric in (course.rubric(lesson.name) for lesson in course.lessons())
        for exercise in rubric.exercises
        if isinstance(exercise, ProgramExercise) and exercise.speed is not None
        for one in find_submissions(course.root, rubric.lesson)
        if one.kind == "right" and one.exercise == exercise.name and one.source
    ]


def export_one(lesson: str, exercise: str, source: str, keys: tuple[int, ...]) -> list[bytes]:
    """Return the programs of a submission, one for each key."""
    found = next(one for one in find_course().lessons() if one.name == lesson)
    wanted = found.rubric.exercise(exercise)
    with tempfile.TemporaryDirectory() as folder, as_notebook():
        module, errors = run_cells(lesson_cells(found, exercise, source), Path(folder))
        if errors:
            raise RuntimeError(f"a cell fails: {errors[0].error}")
        function = wanted.function(vars(module))
        calls = (calls_to_export(found.rubric.draw(exercise, key))[-1] for key in keys)
        return [export_program(function, call, TRUSTED_SECONDS).blob for call in calls]


def write_bundle(findings: Findings, folder: Path, jobs: list[Job], keys: tuple[int, ...]) -> None:
    """Write the programs of the jobs, and of the lessons' own solutions.

    It keeps the names of the submissions by the key of their result: many are one program.
    """
    writer = BundleWriter(folder)
    programs: dict[str, list[str]] = {}

    def add(timed: Timed, blob: bytes, key: int, what: str) -> None:
        entry = add_to_bundle(writer, timed.rubric, timed.exercise, blob, key)
        names = programs.setdefault(entry.result_key, [])
        names.append(f"{timed.rubric.lesson}: {what}, key {key}")

    workers = min(len(os.sched_getaffinity(0)), len(jobs))
    with (
        ThreadPoolExecutor() as threads,
        ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as processes,
    ):
        exported = [
            processes.submit(
                export_one, job.timed.rubric.lesson, job.timed.exercise.name, job.source, keys
            )
            for job in jobs
        ]
        timed = {job.timed.exercise.name: job.timed for job in jobs}.values()
        standards = [
            (one, key, threads.submit(prepare_standards, writer, *one, key))
            for one in timed
            for key in keys
        ]
        for one, key, made in standards:
            own = writer.read_program(made.result()["reference_solution"])
            add(one, own, key, "its own solution")
        for job, future in zip(jobs, exported, strict=True):
            try:
                blobs = future.result()
            except Exception as error:  # whatever the submission raises
                problem = f"{job.timed.rubric.lesson}: {job.file}: {error}"
                findings.add("problems", problem[:300])
                continue
            for key, blob in zip(keys, blobs, strict=True):
                add(job.timed, blob, key, job.file)
    writer.close()
    count = sum(map(len, programs.values()))
    findings.keep(
        programs=programs, figures=[f"{count} submissions, {len(programs)} different programs"]
    )
    findings.require("every right submission can be exported", not findings.data["problems"])


def run(findings: Findings, small: bool) -> None:
    os.environ["JAX_PLATFORMS"] = "cpu"  # where they are exported; others compile for the device
    jax.config.update("jax_platforms", "cpu")
    if not small:
        os.nice(19)  # beside parts that are shorter
    jobs = find_jobs()
    folder = findings.path.parent / "bundle"
    write_bundle(findings, folder, jobs[:2] if small else jobs, KEYS[:1] if small else KEYS)
    bundle, cache = read_bundle(folder), Path(os.environ["JAX_COMPILATION_CACHE_DIR"])
    platform = "cpu" if small else "gpu"
    compile_ahead(bundle, range(len(bundle.entries)), platform, cache, COMPILE_SECONDS)
